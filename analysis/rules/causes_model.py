"""What a model of one's own does that cannot be compiled: its operators, its weights, its inputs, and files that cannot be written."""

from __future__ import annotations

from .causes import ANY_PART, Failure

MODEL_FAILURES: tuple[Failure, ...] = (
    Failure(
        "interrupted",
        r"\A(?:\w{1,40}\.)?KeyboardInterrupt\b",
        "The compile was interrupted (Ctrl-C, or a signal like it)",
        "Start it again; this says nothing against the model. If nobody pressed a key, a time limit ended it (timeout -s INT, a CI job).",
        ("KeyboardInterrupt", "KeyboardInterrupt: "),
    ),
    Failure(
        "program-not-written",
        r"Error while saving to (?P<path>[^\s:]{1,300}): (?!\[Errno 28\])(?P<reason>[^\n]{1,200})",
        "The compiled program could not be written to {path}: {reason}",
        "Give an existing folder that you may write to (--output), and compile again: ExecuTorch goes on to say that the file was saved, but it was not.",
        ("[ERROR 2026-01-01 10:00:00,579 utils.py:152] Error while saving to out/a.pte: [Errno 13] Permission denied: 'out/a.pte'",),
    ),
    Failure(
        "permission-denied",
        r"\[Errno (?:1|13|30)\] (?P<why>Permission denied|Read-only file system|Operation not permitted): '(?P<path>(?!/dev/)[^'\n]{1,300})'",
        "A file cannot be read or written ({why}): {path}",
        "Give a folder that you own (--output, --intermediates), or take over what a run as root left there: sudo chown -R $USER FOLDER.",
        ("PermissionError: [Errno 13] Permission denied: '/w/out'", "OSError: [Errno 30] Read-only file system: '/w/a.pte'"),
    ),
    Failure(
        "output-path",
        r"(?:FileExistsError: \[Errno 17\] File exists|NotADirectoryError: \[Errno 20\] Not a directory|IsADirectoryError: \[Errno 21\] Is a directory): '(?P<path>[^'\n]{1,300})'",
        "A file and a folder are mixed up: {path}",
        "Check what is at that path (ls -ld), and remove it or give another one; --output takes a folder, or a file that ends in .pte.",
        ("FileExistsError: [Errno 17] File exists: '/w/out'", "IsADirectoryError: [Errno 21] Is a directory: '/w/models'"),
    ),
    Failure(
        "fake-kernel-missing",
        r"no fake impl(?:ementation)? registered for <CustomOpDef\((?P<operator>[\w:.]{1,100})\)>|"
        r"(?<![\w:.])(?P<other>[\w:.]{1,100}): attempted to run this operator with Meta tensors, but there was no fake impl",
        "The custom operator {operator}{other} does not declare its output shape, so it cannot be exported",
        'Register it: @torch.library.register_fake("LIBRARY::NAME") on a function that returns torch.empty_like(x) or the like; the Ethos-U will still not '
        'run it, so its out variant must be in the runner too.',
        (
            "torch._dynamo.exc.TorchRuntimeError: got RuntimeError('There was no fake impl registered for <CustomOpDef(mylib::foo)>. This is necessary')",
            "RuntimeError: mylib::foo: attempted to run this operator with Meta tensors, but there was no fake impl or Meta kernel registered",
        ),
    ),
    Failure(
        "operator-library-missing",
        r"'_OpNamespace' '(?P<library>[\w.]{1,80})' object has no attribute '(?P<name>\w{1,80})'",
        "PyTorch does not know the operator {library}::{name}: its library is not loaded",
        "Load it before the model is created: torch.ops.load_library(FILE.so), import the package that registers it, or --so_library=FILE; if it is one of "
        "PyTorch's own operators, torch is of another release.",
        ("AttributeError: '_OpNamespace' 'mylib' object has no attribute 'foo'",),
    ),
    Failure(
        "input-type",
        r"one of the inputs with type `<class '(?P<type>[\w.<>]{1,160})'>` is not supported or pytree-flattenable|"
        r"Unsupported input type <class '(?P<other>[\w.<>]{1,160})'>\. Export only supports pytree containers",
        "An input of the model is of type {type}{other}, which cannot be exported",
        "Give tensors (in tuples, lists or dictionaries) to forward() and assemble them inside it (torch.from_numpy makes one of an array); your own dataclass needs "
        "torch.export.register_dataclass(NAME) in the model's file.",
        ("torch._dynamo.exc.UserError: It looks like one of the inputs with type `<class 'tmp_model.P'>` is not supported or pytree-flattenable.",
         "ValueError: Unsupported input type <class 'numpy.ndarray'>. Export only supports pytree containers of basic types",),
    ),
    Failure(
        "compile-specification",
        r"AttributeError: '(?P<type>\w{1,60})' object has no attribute '_to_list'",
        "The partitioner or the quantiser got a {type} instead of a compile specification",
        'Create one and pass it to both: spec = EthosUCompileSpec("ethos-u55-128"); EthosUQuantizer(spec); EthosUPartitioner(spec).',
        ("AttributeError: 'NoneType' object has no attribute '_to_list'", "AttributeError: 'str' object has no attribute '_to_list'"),
        raised_in=(ANY_PART,),
    ),
    Failure(
        "compile-specification",
        r"TypeError: (?P<name>\w{0,40}Partitioner)\.\w{1,60}\(\) missing \d required positional argument",
        "A partitioner was passed as a class, not as an instance ({name})",
        'Create one: partitioner=[EthosUPartitioner(EthosUCompileSpec("ethos-u55-128"))].',
        ("TypeError: TOSAPartitioner.transform_for_pre_decomposition() missing 1 required positional argument: 'exported_program'",),
    ),
    Failure(
        "program-inputs",
        r"set_inputs\(\) for method '(?P<method>[^'\n]{1,60})' failed with error 0x(?P<code>[0-9a-fA-F]{1,4})",
        "The inputs do not match the program's method {method} (status 0x{code})",
        "Give as many tensors, of the shapes and types that it was exported with (ethosu-tui inspect FILE.pte lists them), contiguous and on the CPU.",
        ("RuntimeError: method->set_inputs() for method 'forward' failed with error 0x10",),
    ),
    Failure(
        "program-not-loaded",
        r"RuntimeError: method->(?P<call>execute|get_outputs)\(\)(?: for method '[^'\n]{1,60}')? failed with error 0x(?P<code>[0-9a-fA-F]{1,4})",
        "Python could not run the program: {call}() failed with status 0x{code}",
        "Read ExecuTorch's own lines above it for the reason (an operator that rejected a shape or a type, a delegate); an Ethos-U delegate does not run on "
        "a host.",
        ("RuntimeError: method->execute() failed with error 0x12",),
        1,
    ),
    Failure(
        "program-not-loaded",
        r"(?:Failed to load|loading) method (?P<name>\w{1,60}),? (?:failed )?(?:with )?error:? ?0x:?14\b",
        "Python could not load the method {name}: its runtime has no kernel for an operator (status 0x14)",
        "Find the operator in ExecuTorch's own lines above it (kernel 'NAME' not found), and import executorch.kernels.quantized for quantized_decomposed "
        "operators. Others have no portable kernel or are of another library, as cortex_m:: is: delegate the operator, replace it in the model, or run the "
        "program where its kernel is linked.",
        ("RuntimeError: Failed to load method forward, error: 0x:14", "RuntimeError: loading method forward failed with error 0x14"),
        1,
    ),
    Failure(
        "program-not-loaded",
        r"(?:Failed to (?P<what>load|execute|run)|(?P<doing>loading|executing)) method (?P<name>\w{1,60}),? (?:failed )?(?:with )?error:? ?"
        r"0x:?(?P<code>[0-9a-fA-F]{1,4})",
        "Python could not run the method {name}: status 0x{code}",
        "Read ExecuTorch's own lines above it for the reason; an Ethos-U delegate does not run on a host.",
        (
            "RuntimeError: Failed to load method forward, error: 0x:20",
            "RuntimeError: loading method forward failed with error 0x30",
        ),
        1,
    ),
    Failure(
        "program-file-missing",
        r"Failed to create MmapDataLoader from file (?P<path>[^\n]{1,300}), error: 0x:?22\b",
        "Python could not open the program {path}",
        "Check the path (a relative one is resolved from the folder Python was started in), and that this user may read the file (ls -l).",
        ("RuntimeError: Failed to create MmapDataLoader from file /w/a.pte, error: 0x:22",),
    ),
    Failure(
        "program-not-loaded",
        r"RuntimeError: (?:Failed to load program, error:|loading program failed with error:) 0x:?(?P<code>[0-9a-fA-F]{1,4})",
        "Python could not load the program (status 0x{code})",
        "Check that the file is a complete .pte (not a .bpte or a Git LFS pointer) of this release: ethosu-tui inspect FILE.",
        ("RuntimeError: Failed to load program, error: 0x:23", "RuntimeError: loading program failed with error: 0x23"),
        1,
    ),
    Failure(
        "out-of-memory",
        r"(?<![^\s:])(?P<file>[^\s:]{1,300}): failed to map segment from shared object",
        "The library {file} could not be mapped into memory",
        "Raise the memory limit (ulimit -v unlimited; the container's or the job's limit), or, if the folder is mounted noexec (findmnt -T FOLDER shows "
        "it), install into another one.",
        ("ImportError: libtorch_cpu.so: failed to map segment from shared object",),
    ),
    Failure(
        "eager-quantised",
        r"torch\.classes\.quantized\.(?P<what>\w{1,60})[^\n]{0,200}__obj_flatten__",
        "The model was quantised in eager mode; its packed weights ({what}) cannot be exported",
        "Give the float model, and let prepare_pt2e and convert_pt2e with EthosUQuantizer quantise it (--quantize).",
        ("AttributeError: __torch__.torch.classes.quantized.LinearPackedParamsBase (of Python compilation unit at: 0) does not have a field with name '__obj_flatten__'",),
    ),
    Failure(
        "out-of-memory",
        r"BrokenProcessPool: ",
        "A worker process died, most often for lack of memory",
        "Start fewer of them, or give the machine more memory (dmesg shows whether the kernel killed one); otherwise run the worker's step alone to see how "
        "it ends.",
        ("concurrent.futures.process.BrokenProcessPool: A process in the process pool was terminated abruptly while the future was running or pending.",),
    ),
    Failure(
        "not-exported",
        r"AttributeError: '(?P<type>(?!NoneType'|ExportedProgram')[A-Z]\w{0,80})' object has no attribute 'meta'",
        "The model was not exported before it was quantised: prepare_pt2e was given a {type}",
        "Export first: exported = torch.export.export(model.eval(), inputs); prepare_pt2e(exported.module(check_guards=False), quantizer).",
        ("AttributeError: 'Net' object has no attribute 'meta'",),
        raised_in=(ANY_PART,),
    ),
    Failure(
        "data-dependent",
        r"Quantizer detected operator (?P<operator>[\w.]{1,60}) with different device inputs: \{[^}\n]{0,200}Could not get device from",
        "The model reads a number out of a tensor and computes with it ({operator}), which cannot be quantised",
        "Replace .item(), .tolist(), int() or float() on a tensor with a constant or with operations on the tensor itself (x * x.max(), for example).",
        ("ValueError: Quantizer detected operator mul with different device inputs: {'cpu', 'Could not get device from TruncToInt(zuf0)'}.",),
    ),
    Failure(
        "devices-mixed",
        r"Quantizer detected operator (?P<operator>[\w.]{1,60}) with different device inputs",
        "Inputs of {operator} are on different devices",
        "Export and quantise on the CPU: model.cpu().eval(), the example inputs and the calibration data with .cpu(), and no tensor that forward() creates "
        "on another device.",
        ("ValueError: Quantizer detected operator mul with different device inputs: {'cpu', 'cuda:0'}.",),
    ),
    Failure(
        "dtype",
        r"cortex_m::(?:de)?quantize_per_tensor\(\) expected at most \d.{0,900}?out_dtype: torch\.(?P<dtype>\w{1,20})",
        "The model or its inputs are {dtype}; the quantised program takes and returns float32",
        "Convert both with .float().",
        (
            "RuntimeError: cortex_m::dequantize_per_tensor() expected at most 6 argument(s) but received 7 argument(s). Declaration: x\n"
            "While executing %a : [num_users=1] = call_function[target=b](args = (%getitem,), kwargs = {out_dtype: torch.float16})",
        ),
    ),
    Failure(
        "library-wrong-machine",
        r"(?:ImportError|OSError): (?P<file>[^\s:]{1,300}): (?P<reason>wrong ELF class: \w{1,20}|invalid ELF header|file too short|cannot open shared object file: Exec format)",
        "A compiled library is for another machine, or damaged: {file} ({reason})",
        "Build or install it for the machine that the compile runs on, not for the board; file NAME shows which one it was built for.",
        ("OSError: /w/libcustom.so: wrong ELF class: ELFCLASS32", "ImportError: /w/a.so: file too short"),
    ),
    Failure(
        "weights-mismatch",
        r"Error\(s\) in loading state_dict for (?P<model>[\w.]{1,80}):\s{0,8}(?P<reason>[^\n]{1,160})",
        "The weights do not belong to this model ({model}): {reason}",
        "Load weights of the same architecture and number of classes; rename keys with a prefix (module., model.) first, and unwrap them from a surrounding "
        "dictionary: torch.load(FILE)['state_dict'].",
        ('RuntimeError: Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: "bias". ',),
    ),
    Failure(
        "weights-damaged",
        r"PytorchStreamReader failed (?P<reason>[^\n.]{1,120})|UnpicklingError: (?P<pickle>invalid load key, '(?:\\?[^'\n]){1,8}')|"
        r"EOFError: (?P<eof>Ran out of input)|Weights only load failed.{0,900}?(?P<text>Unsupported operand (?:118|60|123)\b)",
        "A weights file is damaged or not one at all: {reason}{pickle}{eof}{text}",
        "Check its size and first bytes (ls -l, head -c 100): a Git LFS pointer begins with version (git lfs pull fetches the file), a web page with <; "
        "otherwise download or save it again.",
        (
            "RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory. This is an internal miniz error.",
            "_pickle.UnpicklingError: invalid load key, 'v'.",
            "_pickle.UnpicklingError: invalid load key, '\\x1f'.",
            "EOFError: Ran out of input",
            "_pickle.UnpicklingError: Weights only load failed. Please file an issue: WeightsUnpickler error: \n\nUnsupported operand 118",
        ),
    ),
    Failure(
        "vela-configuration",
        r"configparser\.(?P<kind>\w{1,40}): (?P<reason>[^\n]{1,200}(?:\nfile: [^\n]{1,200})?)",
        "Vela's configuration file cannot be read: {reason}",
        "Correct that line: sections are [System_Config.NAME] and [Memory_Mode.NAME], entries are name=value; start from a copy of Arm/vela.ini in Vela's "
        "package.",
        ("configparser.MissingSectionHeaderError: File contains no section headers.\nfile: 'broken.ini', line: 1",),
    ),
    Failure(
        "model-type",
        r"is not supported on ScriptModules|torch\.export does not support ScriptModule|[Ee]xporting a ScriptModule is not supported",
        "The model is TorchScript, which cannot be exported",
        "Give the torch.nn.Module itself, before torch.jit.script or torch.jit.trace; a file saved with torch.jit.save no longer has it: rebuild the model "
        "and load the weights.",
        ("RuntimeError: requires_grad_ is not supported on ScriptModules", "ValueError: Exporting a ScriptModule is not supported."),
    ),
    Failure(
        "model-type",
        r"Expected an nn\.Module instance(?:[^\n]{0,40}<class '(?P<type>[\w.]{1,120})'>)?|"
        r"Expected `?mod`? to be an instance of `?torch\.nn\.Module`?, got <class '(?P<other>[\w.]{1,120})'>",
        "torch.export was given something other than a torch.nn.Module: {type}{other}",
        "Give it the module itself, in eval mode: load a state_dict (an OrderedDict) into one first (model.load_state_dict), and wrap a function in a "
        "module's forward(); torch.load may return either.",
        (
            "AssertionError: Expected an nn.Module instance.",
            "ValueError: Expected `mod` to be an instance of `torch.nn.Module`, got <class 'collections.OrderedDict'>.",
        ),
    ),
    Failure(
        "converter-missing",
        r"Unable to locate a model converter executable",
        "The target vgf needs Arm's model converter, and it is not on PATH",
        "Install it: examples/arm/setup.sh --i-agree-to-the-contained-eula --enable-mlsdk-deps (or pip install ai-ml-sdk-model-converter), and activate "
        "that environment; for an NPU use an Ethos-U target instead (-t ethos-u85-256).",
        ("RuntimeError: Unable to locate a model converter executable. Tried: model-converter, model_converter.",),
    ),
    Failure(
        "gpu-missing",
        r"PyTorch is not linked with support for cuda|Torch not compiled with CUDA enabled|Found no NVIDIA driver",
        "The model puts tensors on a GPU, and this PyTorch can use none",
        "Remove .cuda() and .to('cuda') from it, or write device = torch.device('cuda' if torch.cuda.is_available() else 'cpu'); compiling happens on the CPU.",
        (
            "torch._dynamo.exc.TorchRuntimeError: got RuntimeError('PyTorch is not linked with support for cuda devices')",
            "AssertionError: Torch not compiled with CUDA enabled",
        ),
    ),
    Failure(
        "model-raised",
        r"torch\._dynamo\.exc\.Observed\w{1,60}: raised exception (?P<what>[^\n]{1,300})",
        "The model itself raised {what}",
        "Run the model on ModelInputs in plain PyTorch first.",
        ("torch._dynamo.exc.ObservedValueErrorError: raised exception ValueError('expected a batch of 2, got 1')",),
    ),
)  # fmt: skip
"""A part of `AOT_FAILURES`, before its rows for shapes and for what only names the stage."""
