"""How a script of one's own calls ExecuTorch and torchao in a wrong way: what came from the step before it is of another kind."""

from __future__ import annotations

from ..targets import MEMORY_MODES, SYSTEM_CONFIGS
from .causes import ANY_PART, Failure

_OF_A_GPU = r"(?:cuda\.|mps\.|xpu\.|CUDA|MPS|XPU)"
"""How PyTorch's names of types of tensors begin that are not on the CPU."""
_LOWER = (
    "edge = to_edge_transform_and_lower(torch.export.export(model, inputs), partitioner=[EthosUPartitioner(spec)]); program = edge.to_executorch(); "
    'program.save("net.pte").'
)

CALL_FAILURES: tuple[Failure, ...] = (
    Failure(
        "not-exported",
        r"AttributeError: 'ExportedProgram' object has no attribute '(?P<name>meta|children|named_modules)'",
        "An exported program was given where its module is needed",
        "Take the module: prepare_pt2e(exported.module(check_guards=False), quantizer); torch before 2.9 has no check_guards.",
        ("AttributeError: 'ExportedProgram' object has no attribute 'meta'",),
    ),
    Failure(
        "not-exported",
        r"AttributeError: '(?P<type>EdgeProgramManager|ExecutorchProgramManager)' object has no attribute '(?:run_decompositions|graph_signature)'",
        "The lowering was given the type {type}: the model is lowered already",
        "Lower it once: to_edge_transform_and_lower(...).to_executorch(), without to_edge() before it. A second backend goes into the same list of partitioners.",
        ("AttributeError: 'EdgeProgramManager' object has no attribute 'run_decompositions'",),
        raised_in=(ANY_PART,),
    ),
    Failure(
        "not-exported",
        r"AttributeError: '(?P<type>(?!NoneType')[A-Z]\w{0,80})' object has no attribute '(?:run_decompositions|graph_signature)'",
        "The lowering was given a {type}, not an exported program",
        "Export it first, after convert_pt2e too: to_edge_transform_and_lower(torch.export.export(model, inputs), partitioner=[...]).",
        (
            "AttributeError: 'Net' object has no attribute 'run_decompositions'",
            "AttributeError: 'GraphModule' object has no attribute 'graph_signature'",
        ),
        raised_in=(ANY_PART,),
    ),
    Failure(
        "quantiser-configuration",
        r"AttributeError: '(?P<type>function|functools\._lru_cache_wrapper|tuple|dict|str)' object has no attribute "
        r"'(?:get_(?:input_act|output_act|weight|bias)_qspec|input_activation|output_activation)'",
        "The quantiser was not given a quantisation configuration ({type})",
        "Call the function that creates one: quantizer.set_global(get_symmetric_quantization_config()), with the parentheses.",
        (
            "AttributeError: 'functools._lru_cache_wrapper' object has no attribute 'get_output_act_qspec'",
            "AttributeError: 'function' object has no attribute 'input_activation'",
        ),
        raised_in=(ANY_PART,),
    ),
    Failure(
        "quantiser-configuration",
        r"TypeError: (?P<name>global_config|io_config|module_type_config|module_name_config|\w{1,60}) (?:\w{1,20} )?must be (?:a )?QuantizationConfig or None, got (?P<type>\w{1,60})",
        "The quantiser was not given a quantisation configuration ({type})",
        "Call the function that creates one: quantizer.set_global(get_symmetric_quantization_config()), with the parentheses.",
        ("TypeError: global_config value must be QuantizationConfig or None, got function.",),
    ),
    Failure(
        "step-left-out",
        r"AttributeError: 'EdgeProgramManager' object has no attribute '(?P<name>buffer|write_to_file|save|executorch_program|write_tensor_data_to_file)'",
        "The lowered model is not a program yet: to_executorch() was left out before .{name}",
        f"Call it first: {_LOWER}",
        ("AttributeError: 'EdgeProgramManager' object has no attribute 'buffer'",),
    ),
    Failure(
        "step-left-out",
        r"AttributeError: 'ExportedProgram' object has no attribute '(?P<name>buffer|to_executorch|to_backend|write_to_file|save)'",
        "The exported model was not lowered: an exported program has no .{name}",
        f"Lower it first: {_LOWER}",
        ("AttributeError: 'ExportedProgram' object has no attribute 'to_executorch'",),
    ),
    Failure(
        "step-left-out",
        r"TypeError: a bytes-like object is required, not '(?P<type>(?:Edge|Executorch|ExecuTorch)Program\w{0,40}|ExportedProgram)'",
        "A file cannot be written from {type}: it is an object, not bytes",
        'Write what to_executorch() returned with program.save("net.pte") or file.write(program.buffer).',
        ("TypeError: a bytes-like object is required, not 'ExecutorchProgramManager'",),
    ),
    Failure(
        "devices-mixed",
        rf"Input type \((?:torch\.)?(?:(?P<input>{_OF_A_GPU}\w{{1,40}})\) and (?:weight|bias) type \((?:torch\.)?(?P<weight>(?!{_OF_A_GPU})\w{{1,40}})|"
        rf"(?P<one>(?!{_OF_A_GPU})\w{{1,40}})\) and (?:weight|bias) type \((?:torch\.)?(?P<two>{_OF_A_GPU}\w{{1,40}}))\) should be the same",
        "The model and its inputs are on different devices: {input}{one} and {weight}{two}",
        "Export and quantise on the CPU: model.cpu().eval(), the example inputs and the calibration data with .cpu(), and no tensor that forward() creates "
        "on another device.",
        (
            "RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same",
            "RuntimeError: Input type (torch.FloatTensor) and weight type (torch.cuda.HalfTensor) should be the same or input should be a MKLDNN tensor",
            "RuntimeError: Input type (MPSFloatType) and weight type (torch.FloatTensor) should be the same",
        ),
    ),
    Failure(
        "dtype",
        r"Input type \((?:torch\.)?(?P<input>[\w. :]{1,40})\) and (?:weight|bias) type \((?:torch\.)?(?P<weight>[\w. :]{1,40})\) should be the same|"
        r"(?:mat1 and mat2 must have the same dtype, but got|expected (?:m1 and m2|mat1 and mat2) to have the same dtype, but got:?) (?P<one>[\w:]{1,40}) (?:and|!=) (?P<two>[\w:]{1,40})",
        "The model gets inputs of another type than its weights: {input}{one} and {weight}{two}",
        "Convert the example inputs and the calibration data (x.float(); pixels of 0 to 255 also divided by 255, as in the training), and the model with "
        ".float() if its weights are the others.",
        (
            "RuntimeError: Input type (double) and bias type (float) should be the same",
            "RuntimeError: Input type (float) and bias type (c10::Half) should be the same",
            "RuntimeError: Input type (torch.cuda.DoubleTensor) and weight type (torch.cuda.FloatTensor) should be the same",
            "RuntimeError: mat1 and mat2 must have the same dtype, but got Double and Float",
            "RuntimeError: expected m1 and m2 to have the same dtype, but got: double != float",
        ),
    ),
    Failure(
        "output-type",
        r"No registered serialization name for <class '(?P<type>[\w.]{1,120})'> found",
        "The model takes or returns a {type}, which a program cannot describe",
        "Take it apart in forward() and return plain tensors or a tuple of them: values, indices = torch.sort(x); return values, indices. The same goes for "
        "what max, topk and svd return, and for classes of one's own.",
        (
            "NotImplementedError: No registered serialization name for <class 'torch.return_types.sort'> found. Please update your _register_pytree_node call",
        ),
    ),
    Failure(
        "output-type",
        r"Returning (?P<value>[^\n]{1,80}?) is not yet supported in the emitter",
        "The model returns {value}, which is not a tensor",
        "Return tensors only: take labels and names out of what forward() returns, and add them afterwards.",
        (
            "executorch.exir.error.InternalError: Failed with error: Returning label is not yet supported in the emitter.",
        ),
    ),
    Failure(
        "output-type",
        r"AssertionError: graph_output_allocated not set",
        "The model returns no tensor",
        "Return the result at the end of forward(): without a return statement it is None.",
        ("AssertionError: graph_output_allocated not set",),
    ),
    Failure(
        "input-type",
        r"AssertionError: graph_input_allocated not set",
        "The model takes no tensor",
        "Give forward() at least one tensor that it computes with, and an example of it.",
        ("AssertionError: graph_input_allocated not set",),
    ),
    Failure(
        "model-type",
        r"Module \[(?P<type>\w{1,80})\] is missing the required \"forward\" function",
        "The model {type} has no method forward()",
        "Look for a typing error in its name and for its indentation: def forward(self, x) belongs inside of the class.",
        ('NotImplementedError: Module [Net] is missing the required "forward" function',),
    ),
    Failure(
        "numpy-in-model",
        r"\.numpy\(\) is not supported for tensor subclasses",
        "The model computes with NumPy in forward(), which cannot be exported",
        "Replace NumPy's functions with PyTorch's (torch.sqrt for numpy.sqrt); what depends on no input is computed once in __init__ (register_buffer).",
        ("RuntimeError: .numpy() is not supported for tensor subclasses.",),
    ),
    Failure(
        "quantiser-configuration",
        r"calculate_qparams should not be called for PlaceholderObserver",
        "The model was quantised dynamically, which this lowering does not take",
        "Leave is_dynamic=True out: get_symmetric_quantization_config() quantises statically, with ranges that come from the calibration, and an NPU runs nothing else.",
        ("Exception: calculate_qparams should not be called for PlaceholderObserver",),
    ),
    Failure(
        "release-mismatch",
        r"(?:cannot import name|has no attribute) '(?P<name>capture_pre_autograd_graph|export_for_training)'",
        "The script uses {name}, which the installed PyTorch does not have",
        "Newer releases dropped it: write torch.export.export(model.eval(), inputs).module() in its place, and take prepare_pt2e and convert_pt2e from "
        "torchao.quantization.pt2e.quantize_pt2e.",
        (
            "ImportError: cannot import name 'capture_pre_autograd_graph' from 'torch._export' (/a/torch/_export/__init__.py)",
            "AttributeError: module 'torch.export' has no attribute 'export_for_training'",
        ),
    ),
    Failure(
        "release-mismatch",
        r"cannot import name '(?P<name>ArmQuantizer|ArmPartitioner|ArmBackend|ArmCompileSpecBuilder)'|No module named '(?P<module>executorch\.backends\.arm\.arm_(?:backend|partitioner))'",
        "The script is for an ExecuTorch before 1.0: {name}{module} is gone",
        "Since 1.0 write from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner and from executorch.backends.arm.quantizer import EthosUQuantizer, "
        'get_symmetric_quantization_config; spec = EthosUCompileSpec("ethos-u55-128") goes into EthosUQuantizer(spec) and EthosUPartitioner(spec). '
        "Releases 0.6 and 0.7 have both classes too, and ArmCompileSpecBuilder for their specification.",
        (
            "ImportError: cannot import name 'ArmQuantizer' from 'executorch.backends.arm.quantizer.arm_quantizer' (/a/arm_quantizer.py)",
            "ModuleNotFoundError: No module named 'executorch.backends.arm.arm_partitioner'",
        ),
    ),
    Failure(
        "random-numbers",
        r"SpecViolationError:\s{1,4}Operator (?:torch\._ops\.)?(?P<operator>aten\.(?:randn|randn_like|randint|randint_like|randperm|normal|normal_functional|uniform|multinomial|poisson|"
        r"exponential)[\w.]{0,40}) is not",
        "The model draws random numbers ({operator}), which the lowering does not take",
        "Leave noise out of the model that is compiled (it belongs to training), or make it an input that the application fills.",
        (
            "torch._export.verifier.SpecViolationError: \nOperator torch._ops.aten.randn_like.default is not in Core ATen opset (https://a.org).",
        ),
    ),
    Failure(
        "not-exported",
        r"AttributeError: '(?P<type>[A-Z]\w{0,80})' object has no attribute 'qconfig'",
        "The quantisation was given a model that was not exported: it holds modules ({type})",
        "Export it with torch.export (torch.fx.symbolic_trace is not enough): exported = torch.export.export(model.eval(), inputs); "
        "prepare_pt2e(exported.module(check_guards=False), quantizer).",
        ("AttributeError: 'Conv2d' object has no attribute 'qconfig'",),
        raised_in=(ANY_PART,),
    ),
    Failure(
        "vela-option",
        rf"Incorrect argument to CLI option --system-config=(?P<value>{'|'.join(MEMORY_MODES)}): Section |"
        rf"Incorrect argument to CLI option --memory-mode=(?P<other>{'|'.join(SYSTEM_CONFIGS)}): Section ",
        "The memory mode and the system configuration are swapped: {value}{other}",
        'Name both: EthosUCompileSpec("ethos-u55-128", system_config="Ethos_U55_High_End_Embedded", memory_mode="Shared_Sram"); in this order without names. '
        "On a command line they are --system_config and --memory_mode (--system-config and --memory-mode of Vela).",
        (
            "ethosu.vela.errors.CliOptionError: 'Error: Incorrect argument to CLI option --system-config=Shared_Sram: Section System_Config.Shared_Sram not found'",
            "Error: Incorrect argument to CLI option --memory-mode=Ethos_U55_High_End_Embedded: Section Memory_Mode.Ethos_U55_High_End_Embedded not found",
        ),
    ),
    Failure(
        "partitioner-list",
        r"TypeError: '(?P<type>\w{0,40}Partitioner)' object is not iterable",
        "The lowering was given a partitioner where it takes a list of them ({type})",
        "Put it into brackets: to_edge_transform_and_lower(exported, partitioner=[EthosUPartitioner(spec)]).",
        ("TypeError: 'EthosUPartitioner' object is not iterable",),
        raised_in=(ANY_PART,),
    ),
    Failure(
        "step-left-out",
        r"AssertionError: incoming model must be produced by prepare_fx",
        "convert_pt2e was given a model that prepare_pt2e did not prepare",
        "Keep what prepare_pt2e returns, calibrate that, and convert it: prepared = prepare_pt2e(module, quantizer); prepared(*inputs); convert_pt2e(prepared).",
        ("AssertionError: incoming model must be produced by prepare_fx",),
    ),
    Failure(
        "quantiser-configuration",
        r"AttributeError: '(?P<type>\w{1,60})' object has no attribute 'transform_for_annotation'|"
        r"TypeError: (?P<name>\w{0,40}Quantizer)\.transform_for_annotation\(\) missing \d required positional argument",
        "prepare_pt2e was not given a quantiser object ({type}{name})",
        "Create one, and pass it: quantizer = EthosUQuantizer(spec); quantizer.set_global(get_symmetric_quantization_config()); prepare_pt2e(module, quantizer).",
        (
            "AttributeError: 'NoneType' object has no attribute 'transform_for_annotation'",
            "TypeError: TOSAQuantizer.transform_for_annotation() missing 1 required positional argument: 'model'",
        ),
    ),
    Failure(
        "step-left-out",
        r"TypeError: The 'ep' parameter must be an instance of 'ExportedProgram', got '(?P<type>(?:Executorch|Edge)ProgramManager)' instead",
        "torch.export.save was given a {type}, which it does not write",
        'Write a program with program.save("net.pte") once to_executorch() has made it; torch.export.save is for exported programs (.pt2).',
        (
            "TypeError: The 'ep' parameter must be an instance of 'ExportedProgram', got 'ExecutorchProgramManager' instead.",
        ),
    ),
    Failure(
        "model-type",
        r"'(?:collections\.)?OrderedDict' object has no attribute '(?P<name>eval|forward|cpu|cuda|train|named_modules|requires_grad_)'",
        "The file holds the weights alone (a state_dict), not a model",
        "Create the model first, and load them into it: model = Net(); model.load_state_dict(torch.load(FILE)); model.eval().",
        ("AttributeError: 'collections.OrderedDict' object has no attribute 'eval'",),
    ),
    Failure(
        "calibration-inputs",
        r"AttributeError: '(?P<type>tuple|list|dict|numpy\.ndarray)' object has no attribute 'numel'",
        "The calibration gives the model a {type} where it takes a tensor",
        "Unpack the inputs, and make tensors of arrays: prepared(*inputs) for a tuple or list, torch.from_numpy(array) for an array.",
        ("AttributeError: 'tuple' object has no attribute 'numel'",),
        raised_in=("quantisation",),
    ),
    Failure(
        "backend-unknown",
        r"NotImplementedError: Backend (?P<name>\w{1,60}) was not found",
        "to_backend() does not know the backend {name}",
        "Import it first, and pass a partitioner instead of a name: from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner; "
        'to_edge_transform_and_lower(exported, partitioner=[EthosUPartitioner(EthosUCompileSpec("ethos-u55-128"))]).',
        ("NotImplementedError: Backend EthosUBackend was not found.",),
        raised_in=(ANY_PART,),
    ),
    Failure(
        "shared-weight",
        r"constant data node \((?P<weight>[\w.]{1,120})\) is tagged with \((?P<tag>\w{1,40})\) but has user \((?P<user>[\w.]{1,120})\) which has tag",
        "The weight or buffer {weight} is used inside a delegate and outside of it ({user})",
        "Give {user} a copy of its own (another register_buffer or Parameter with the same values), or get both uses into the delegate: look why "
        "{user} was left out (--debug, or logging at INFO). A buffer that forward() updates is better given to it as an input and returned.",
        (
            "RuntimeError: constant data node (b_cache) is tagged with (tag0) but has user (aten_copy_default) which has tag (None)",
        ),
    ),
    Failure(
        "quantised-io",
        r"ValueError: (?:(?P<reason>Input \d{1,4} (?:is not used by a quantize op|has more than one users)|\d{1,4} outputs available, output index out of bounds: \d{1,4})"
        r"(?:\. ?It's used by <?(?:EdgeOpOverload: )?(?P<by>[\w.]{1,100}))?|Output (?:\d{1,4}|\{output_index\}) is not a dequantize op)",
        "QuantizeInputs or QuantizeOutputs cannot change an input or output of the program: {reason} ({by})",
        "Apply them right after the lowering of a quantised model, and name only inputs that a quantise operator takes alone, and outputs that a dequantise "
        "operator gives; what the quantiser left in float stays so.",
        (
            "ValueError: Input 0 is not used by a quantize op. It's used by aten.convolution.default",
            "ValueError: Input 1 has more than one users",
            "ValueError: 1 outputs available, output index out of bounds: 1",
            "ValueError: Output {output_index} is not a dequantize op",
        ),
    ),
    Failure(
        "output-path",
        r"ValueError: Path (?P<path>[^\n]{1,300}) does not end with \.pte",
        "program.save() takes only names that end in .pte: {path}",
        'Call it with such a name, program.save("net.pte"), or write to any file with program.write_to_file(file).',
        ("ValueError: Path out/net.bin does not end with .pte",),
    ),
    Failure(
        "planned-memory-full",
        r"BankPlacementError: (?:No declared bank can hold a (?P<bytes>\d{1,15})-byte buffer|Bank (?P<bank>[\w.-]{1,60}) \(mem_id=\d{1,4}\) needs (?P<needs>\d{1,15}) bytes)",
        "A tensor does not fit the memory banks of the target: {bytes} {bank} {needs} bytes",
        "Give a bank of the target memory map more room, or declare another one; a smaller input makes the tensors between operators smaller.",
        (
            "executorch.exir.banked_memory_planning.BankPlacementError: No declared bank can hold a 602112-byte buffer (shape [1, 96, 112, 56]): sram 1024 of 4096 free.",
        ),
    ),
    Failure(
        "index-range",
        r"IndexError: index out of range in self\b",
        "The model looks up an index that is larger than its table (an embedding)",
        "Give example inputs and calibration data whose indices are below num_embeddings, or a larger table: torch.randint(0, num_embeddings, shape).",
        ("IndexError: index out of range in self",),
        raised_in=(ANY_PART,),
    ),
    Failure(
        "vela-option",
        r"\bvela: error: unrecognized arguments: (?P<what>-(?: \S){2,60})(?: |\n|\Z)",
        "Vela got an option cut into single letters: {what}",
        "Give extra_flags a list, even for one option: extra_flags=['--optimise=Size'].",
        ("vela: error: unrecognized arguments: - o p t i m i s e = S i z e /tmp/a/out.tosa",),
    ),
    Failure(
        "target-unknown",
        r"\bvela: error: argument --accelerator-config: invalid choice: '(?P<target>ethos-u(?:55-(?!(?:32|64|128|256)')|65-(?!(?:256|512)')|"
        r"85-(?!(?:128|256|512|1024|2048)'))\d{1,5}|ethos-u(?:55|65|85))'",
        "Vela knows no NPU configuration called {target}",
        "Name the NPU of your chip or FVP with the number of its MACs: an Ethos-U55 has 32, 64, 128 or 256 (ethos-u55-128), an Ethos-U65 256 or 512, an "
        "Ethos-U85 128, 256, 512, 1024 or 2048.",
        (
            "vela: error: argument --accelerator-config: invalid choice: 'ethos-u55' (choose from 'ethos-u55-32', 'ethos-u65-256', 'ethos-u85-2048')",
            "vela: error: argument --accelerator-config: invalid choice: 'ethos-u55-512' (choose from ethos-u55-32, ethos-u55-64)",
        ),
    ),
    Failure(
        "memory-format",
        r"Failed to map a given dim_order: (?P<order>\[[\d, ]{1,40}\]) to a torch\.memory_format(?:\s{0,4}While executing %(?P<node>[\w.]{1,80}))?",
        "A tensor whose dimensions lie in memory in the order {order} is converted or copied, and ExecuTorch has no memory format for that: {node}",
        "Call .contiguous() before the conversion (.float(), .to(), .clone()) of a transposed tensor, and on transposed example inputs; "
        "EdgeCompileConfig(_skip_dim_order=True) leaves such orders out of the program.",
        (
            "AssertionError: Failed to map a given dim_order: [1, 0] to a torch.memory_format\nWhile executing %aten__to_copy_default",
        ),
    ),
    Failure(
        "operand-types",
        r"taking Tensor inputs with mismatched dtypes:.{0,120}?EdgeOpOverload: (?P<operator>[\w.]{1,80})>.{0,400}?torch\.complex\d{2,3}",
        "{operator} computes with complex numbers, which ExecuTorch cannot lower",
        "Compute the spectrum outside the model, or write it with real tensors: a convolution with fixed sine and cosine weights replaces torch.stft or "
        "torch.fft on a window of constant size.",
        (
            "torch._export.verifier.SpecViolationError: These operators are taking Tensor inputs with mismatched dtypes:\n\nOperator: <EdgeOpOverload: "
            "aten.abs.default>: schema = aten::abs(Tensor self) -> Tensor with args: {'self': torch.complex64, '__ret_0': torch.float32}",
        ),
    ),
    Failure(
        "operand-types",
        r"AttributeError: 'complex' object has no attribute '(?:data|dtype)'",
        "The model computes with a complex number, which ExecuTorch cannot lower",
        "Write it with real tensors: one for the real part and one for the imaginary part.",
        (
            "AttributeError: 'complex' object has no attribute 'data'\n\nWhile executing %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor]",
        ),
        raised_in=(ANY_PART,),
    ),
)
"""A part of `LOWERING_FAILURES`, before rows that say the same of less."""
