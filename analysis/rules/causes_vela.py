"""What Vela, the TOSA specification and the compile specification refuse: of the command line, and beside what `causes_aot` names first."""

from __future__ import annotations

from ..targets import MEMORY_MODES, SYSTEM_CONFIGS, configs_of
from .causes import PINNED_TOOLS, Failure

_FAMILIES = ("Ethos-U55", "Ethos-U65", "Ethos-U85")
_SECTIONS = "|".join((*MEMORY_MODES, *SYSTEM_CONFIGS))
"""What Arm/vela.ini has, which Vela brings."""

VELA_OPTIONS: tuple[Failure, ...] = (
    Failure(
        "vela-option",
        rf"Incorrect argument to CLI option --(?P<option>memory-mode|system-config)=(?P<value>{_SECTIONS}): Section ",
        "The configuration that Vela read has no --{option} {value}",
        "Arm/vela.ini of Vela 4.0 and later has it: name that file (--config Arm/vela.ini), update an older ethos-u-vela, or copy the section into the file that --config names.",
        (
            "ethosu.vela.errors.CliOptionError: 'Error: Incorrect argument to CLI option --memory-mode=Shared_Sram: Section Memory_Mode.Shared_Sram not found in Vela config file'",
            "Error: Incorrect argument to CLI option --system-config=Ethos_U85_SYS_DRAM_Mid: Section System_Config.Ethos_U85_SYS_DRAM_Mid not found in Vela config file",
        ),
    ),
    *(
        Failure(
            "vela-option",
            rf"Incorrect argument to CLI option --system-config=(?P<value>{npu.replace('-', '_')}\w{{0,80}}): Section System_Config\.\S{{1,90}} not found",
            "Vela does not know --system-config {value}",
            f"Arm/vela.ini has {configs_of(npu.lower())} for the {npu}. Take one of them (--config Arm/vela.ini), or name the file that has yours: --config FILE.",
            (
                f"ethosu.vela.errors.CliOptionError: 'Error: Incorrect argument to CLI option --system-config={npu.replace('-', '_')}_Nope: "
                f"Section System_Config.{npu.replace('-', '_')}_Nope not found in Vela config file'",
            ),
        )
        for npu in _FAMILIES
    ),
    Failure(
        "vela-option",
        r"Incorrect argument to CLI option --memory-mode=(?P<value>\w{1,80}): Section Memory_Mode\.\S{1,90} not found",
        "Vela does not know --memory-mode {value}",
        f"Arm/vela.ini has {', '.join(MEMORY_MODES)}, of which an older Vela lacks some. Take one of them, or name the file that has yours: --config FILE.",
        (
            "ethosu.vela.errors.CliOptionError: 'Error: Incorrect argument to CLI option --memory-mode=Shared_Ram: "
            "Section Memory_Mode.Shared_Ram not found in Vela config file'",
        ),
    ),
    Failure(
        "vela-configuration",
        r"Invalid configuration of arena_mem_area=O(?:ff|n)ChipFlash \(must be Sram or Dram\)",
        "Vela refused the configuration: the memory mode puts the arena into flash",
        "Dedicated_Sram keeps the arena in the second memory, which is flash in this system config: take Shared_Sram or Sram_Only (all that an Ethos-U55 has), "
        "or a system config with DRAM (Ethos_U65_High_End, Ethos_U85_SYS_DRAM_Mid).",
        (
            "ethosu.vela.errors.ConfigOptionError: 'Error: Invalid configuration of arena_mem_area=OffChipFlash (must be Sram or Dram)'",
        ),
    ),
    Failure(
        "vela-option",
        r"Incorrect argument to CLI option:? (?P<what>--[a-z-]{1,40})(?: = |[= ])(?P<value>\S{1,200}?):? (?:Section|Unknown)[^'\n]{1,300}",
        "Vela does not know {what} {value}",
        "Choose one of the values that `ethosu-tui compile --help` lists, or check the --config file.",
        (
            "ethosu.vela.errors.CliOptionError: 'Error: Incorrect argument to CLI option --system-config=Nope: "
            "Section System_Config.Nope not found in Vela config file'",
            "Error: Incorrect argument to CLI option: --accelerator-config = ethos-u55: Unknown accelerator configuration",
            "ethosu.vela.errors.OptionError: Incorrect argument to CLI option: --system-config Nope: Unknown system configuration",
        ),
    ),
    Failure(
        "vela-option",
        r"Incorrect argument to CLI option:? (?P<what>--[a-z-]{1,40})(?: = |[= ])(?P<value>\S{1,200}?):? (?P<reason>[^'\n]{1,300})",
        "Vela refuses {what}: {reason}",
        "A system configuration and a memory mode need the .ini file that has them: --config FILE (Arm/vela.ini is the one in Vela's package).",
        ("Error: Incorrect argument to CLI option --config=None: Vela config file not specified",),
    ),
    Failure(
        "vela-configuration",
        r"Invalid configuration of arena_cache_size=(?P<value>\S{1,40}) (?P<reason>[^'\n]{1,200})",
        "Vela refused --arena-cache-size {value} {reason}",
        "Give the size in bytes, or leave the option away: the memory mode of the --config file then says it.",
        ("ethosu.vela.errors.ConfigOptionError: 'Error: Invalid configuration of arena_cache_size=-1 (must be >= 0)'",),
    ),
    Failure(
        "vela-configuration",
        r"(?:ConfigOptionError: (?:'|(?P<double>\"))?(?:Error[:!] )?|Error: (?=Invalid configuration of))(?P<reason>(?(double)[^\"\n]{1,300}|[^'\n]{1,300}))",
        "Vela refused the configuration: {reason}",
        "Choose a memory mode that fits the system config.",
        (
            "ethosu.vela.errors.ConfigOptionError: 'Error: Invalid configuration of const_mem_area=Far (must be Dram or OffChipFlash)'",
            "ethosu.vela.errors.ConfigOptionError: \"Error: Invalid configuration of const_mem_area='Far'\"",
        ),
    ),
    Failure(
        "vela-input",
        r"(?:ethosu\.vela\.errors\.InputFileError: [\"']?(?:Error[:!] )?|Error: (?=Reading input file))(?P<reason>[^\"\n]{1,300})",
        "Vela could not read its input: {reason}",
        "Check the path of the network, or of the file given with --config.",
        (
            "ethosu.vela.errors.InputFileError: \"Error: Reading input file 'nope.ini': File not found or is not "
            'readable."',
        ),
    ),
)

VELA_VALUE = Failure(
    "vela-option",
    r"KeyError: '(?P<value>[^'\n]{1,60})'",
    "Vela refused its arguments: {value} is no value of the option for which it was given",
    "Values are spelt as vela --help has them, with their capitals: --optimise Performance or Size, --tensor-allocator Greedy, LinearAlloc or HillClimb.",
    ("KeyError: 'Speed'",),
)
"""For a traceback that ends where Python looks up the name of an enumeration: no other words tell these apart from a defect."""

VELA_REFUSALS: tuple[Failure, ...] = (
    Failure(
        "vela-input",
        r"No networks defined via GraphAPI",
        "Vela could not read its input: the file holds no network of .tflite or .tosa",
        "Look at what it is (file NAME; a .tflite has TFL3 and a .tosa TOSA at its bytes 4 to 7): a torn download, a page of HTML, a Git LFS pointer or "
        "another format under that name.",
        ("RuntimeError: Compilation failed: No networks defined via GraphAPI",),
    ),
    Failure(
        "vela-input",
        r"Error: (?P<what>Invalid \.?(?:tflite|TFLite|tosa|TOSA) file\. Got [^\n]{1,300})",
        "Vela could not read its input: {what}",
        "The file is torn, no network at all (a Git LFS pointer, a page of HTML), or of another version: make it again, and take the Vela that belongs to what wrote it.",
        (
            'Error: Invalid tflite file. Got "unpack_from requires a buffer of at least 4 bytes" while parsing operators.',
            'Error: Invalid TFLite file. Got "unpack_from requires a buffer of at least 9 bytes" while parsing buffers length.',
            'Error: Invalid .tosa file. Got "list index out of range" while parsing tensors.',
        ),
    ),
    Failure(
        "vela-input",
        r"Failed to load TOSA model\. (?P<what>Buffer contents inconsistent with generated schema)",
        "Vela could not read its input: {what}",
        "Take the release of Vela that this ExecuTorch pins, or make the graph again: it is of another version of TOSA, or damaged. ethos-u-vela up to 4.3 reads TOSA 0.80, "
        "as ExecuTorch up to 0.7 writes it, later ones TOSA 1.0.",
        ("Failed to load TOSA model. Buffer contents inconsistent with generated schema",),
    ),
    Failure(
        "vela-input",
        r"Failed to load TfLite model\. (?P<what>Buffer contents inconsistent with generated schema)",
        "Vela could not read its input: {what}",
        "The file begins as one of TfLite and is torn or damaged behind that: compare its size with the original's, and make it again.",
        ("Failed to load TfLite model. Buffer contents inconsistent with generated schema.",),
    ),
    Failure(
        "vela-configuration",
        r"Compilation failed: Error parsing \[(?P<section>[^\]\n]{1,80})\]",
        "Vela refused the configuration: it cannot read section [{section}]",
        "An entry of the --config file, or an option that Vela hands on, has a value that this Vela does not take: begin with a copy of its own "
        "Arm/vela.ini, and use the Vela for which the file was written.",
        ("RuntimeError: Compilation failed: Error parsing [architecture]",),
    ),
    Failure(
        "vela-configuration",
        r"ValueError: (?P<what>Invalid System Config|Invalid Compiler Options|Unknown architecture EthosU\w{0,20})\b",
        "Vela refused the configuration: {what}",
        "Vela's Python and its compiled part (Regor) are perhaps of different releases, or the --config file is broken: install the ethos-u-vela that this ExecuTorch release pins "
        "(examples/arm/setup.sh) anew, and begin with a copy of its own Arm/vela.ini.",
        ("ValueError: Invalid System Config", "ValueError: Unknown architecture EthosU95"),
    ),
    Failure(
        "vela-input",
        r"Error: (?P<operator>\w{1,60})(?: '[^'\n]{0,300}')? Does not have valid TFLite Semantics\.(?:\n\s*- (?P<why>[^\n]{1,200}))?",
        "Vela does not take the network: its {operator} is not valid TensorFlow Lite: {why}",
        "The converter that wrote the .tflite made an operator that breaks the format's own rules, or shapes that only a run knows: give the batch a "
        "fixed size (onnx2tf -b 1), convert with another version, or change that layer.",
        (
            "RuntimeError: Compilation failed: Error: CONV_2D 'm/conv' Does not have valid TFLite Semantics.\n - Scales must be positive\n   m/conv: 0.0",
            "Error: CONV_2D 'm/conv' Does not have valid TFLite Semantics.",
            "RuntimeError: Compilation failed: Error: ADD Does not have valid TFLite Semantics.\n - Index out of bounds",
        ),
    ),
    Failure(
        "vela-refused",
        r"Compilation failed: Validation error:?(?:\n(?P<operator>\w{1,60}:))?(?:\n[ -]{0,8}ERROR_IF[^\n]{0,300})?(?:\n {0,6}- ?(?P<why>[^\n]{1,200}))?",
        "Vela refused the model, since it breaks a rule of TOSA: {operator} {why}",
        "What lowered the model wrote TOSA that its specification forbids: use the ethos-u-vela and tosa-tools that this ExecuTorch release pins "
        "(examples/arm/setup.sh). Where they are in use, replace the operator or keep it out of the delegate, and report it.",
        (
            "RuntimeError: Compilation failed: Validation error:\nReshape:\n - ERROR_IF(size(a) != size(b))\n - Sizes do not match",
            "RuntimeError: Compilation failed: Validation error:",
        ),
    ),
    Failure(
        "vela-refused",
        r"TOSA FB Reader error:\n(?:(?P<operator>\w{1,60}:)\n)? {0,6}- ?(?P<why>[^\n]{1,200})",
        "Vela cannot read the TOSA of the model: {operator} {why}",
        "What wrote it and this Vela do not belong together, or it is damaged: use the ethos-u-vela and tosa-tools that this ExecuTorch release pins "
        "(examples/arm/setup.sh), and compile it again.",
        (
            "RuntimeError: Compilation failed: TOSA FB Reader error:\nCONST:\n - Output tensor 'a' not found",
            "RuntimeError: Compilation failed: TOSA FB Reader error:\n - Unknown data type",
        ),
    ),
    Failure(
        "vela-operator",
        r"RawWriter expects a graph without passthrough/CPU operations \(found (?P<operator>[^)\n]{1,200})\)",
        "Vela cannot run {operator} on this NPU",
        "A delegate has no CPU to leave it to: compile for another target, replace the operator, or keep it out of the delegate.",
        ("RuntimeError: Compilation failed: RawWriter expects a graph without passthrough/CPU operations (found LOG)",),
    ),
    Failure(
        "vela-memory",
        r"Failed to allocate tensors\. Memory used (?P<used>\d{1,20}), limit (?P<limit>\d{1,20})",
        "The model needs {used} bytes of memory where Vela may use {limit}",
        "Give it more (arena_cache_size of the memory mode in the .ini file, or another memory mode), compile with Vela's --optimise Size, or "
        "make the input smaller.",
        ("RuntimeError: Compilation failed: Failed to allocate tensors. Memory used 4500000, limit 2097152)",),
    ),
    Failure(
        "vela-memory",
        r"AssertionError: Allocation exceeds staging limit",
        "The model's feature maps do not fit into the memory that Vela may use for them",
        "Give it more (--arena-cache-size, or the memory mode's arena_cache_size in the .ini file), compile with Vela's --optimise Size, or make the input smaller.",
        ("AssertionError: Allocation exceeds staging limit",),
    ),
    Failure(
        "vela-configuration",
        r"IndexError: (?:_Map_base::at|map::at|invalid unordered_map<K, T> key)",
        "Vela does not find an entry of its configuration, and does not say which",
        "Known of a --config file of one's own: look for blanks at the ends of its lines (before Vela 4.5 they are part of the value), for a section that "
        "inherits from one which is not there, and for memory areas (arena_mem_area, const_mem_area, axi ports) that the system configuration gives no "
        "clock scale for. Vela's own Arm/vela.ini shows a whole one.",
        ("IndexError: _Map_base::at",),
    ),
    Failure(
        "release-mismatch",
        r"AttributeError: '(?P<table>[A-Z]\w{1,60})' object has no attribute '(?P<field>\w{1,60}AsNumpy)'",
        "The graph's schema and what reads it are of different releases: {table} has no {field}",
        PINNED_TOOLS,
        ("AttributeError: 'ReshapeAttribute' object has no attribute 'NewshapeAsNumpy'",),
    ),
    Failure(
        "vela-internal",
        r"regor[^\n]{0,400}Assertion [`'](?P<what>[^'\n]{1,200})' failed",
        "Vela stopped at an assertion of its own: {what}",
        "It is a defect of this Vela: install the one that this ExecuTorch release pins (examples/arm/setup.sh) or a newer one; until then compile "
        "in halves to find the operator, and keep it out of the delegate.",
        (
            "/w/ethosu/regor/compiler/raw_writer.cpp:161: void regor::RawWriter::Serialise(const Tensor *): Assertion `tensor->IsConstant()' failed.",
        ),
    ),
    Failure(
        "vela-internal",
        r"Error: (?P<what>(?:Unaligned Value|Illegal Size|Allocation failed): [^\n\"]{1,300})",
        "Vela made something that it cannot write: {what}",
        "It is a defect of this Vela: try the one that this ExecuTorch release pins or a newer one, another memory mode, or --optimise Size.",
        (
            "Error: Unaligned Value: Cmd1 payload of size: 3 Bytes is not 16-byte aligned, in operation 4:Conv2D",
            "Error: Allocation failed: Tensor 'a' not aligned to 16 bytes",
        ),
    ),
    Failure(
        "vela-unsupported",
        r"Input network uses a feature that is currently not supported: (?P<what>[^\n\"]{1,300})",
        "Vela does not support a feature of the network: {what}",
        "Replace the operator that it names, or change its type or padding; a network for the NPU is int8 (or int16 activations with int8 weights).",
        (
            "Error: Input network uses a feature that is currently not supported: Unsupported fused_activation_function: Sign",
        ),
    ),
    Failure(
        "model-not-quantized",
        r"\bvela: error: Model is not (?:fully )?quanti[sz]ed",
        "The model is not quantized, and the NPU takes nothing else",
        "Quantize the whole model before it is compiled (--quantize, or EthosUQuantizer with a calibration), inputs and outputs too where they go to the NPU.",
        ("vela: error: Model is not fully quantized",),
    ),
    Failure(
        "vela-option",
        r"\bvela: error: argument --accelerator-config: invalid choice: '(?P<what>ethos-u85-\d{2,4})' \(choose from (?![^\n]{0,400}u85)",
        "This Vela is too old for {what}: it knows no Ethos-U85",
        "Ethos-U85 came with Vela 4.0: pip install --upgrade ethos-u-vela, or the one that this ExecuTorch release pins (examples/arm/setup.sh).",
        (
            "vela: error: argument --accelerator-config: invalid choice: 'ethos-u85-256' (choose from 'ethos-u55-32', 'ethos-u65-512')",
        ),
    ),
    Failure(
        "vela-option",
        r"\bvela: error: unrecognized arguments: (?P<what>--[\w-]{1,40})",
        "This Vela has no option {what}",
        "Options come and go with the releases of Vela: leave it out (vela --help lists what is there), or install the ethos-u-vela for which the command "
        "was written (vela --version). One without --verbose-cycle-estimate prints its estimate of cycles unasked.",
        ("vela: error: unrecognized arguments: --verbose-cycle-estimate",),
    ),
    Failure(
        "vela-option",
        r"\bvela: error: (?:argument (?P<what>[\w/, -]{1,60}): )?(?P<reason>[^\n]{1,300})",
        "Vela refused its arguments: {what} {reason}",
        "See vela --help for what this release takes.",
        (
            "vela: error: argument --accelerator-config: invalid choice: 'ethos-u55-512' (choose from ethos-u55-32, ethos-u55-64)",
        ),
    ),
    Failure(
        "recursion-limit",
        r"^RecursionError: ",
        "A Python program went deeper than it may: the network is too long for its limit",
        "Give Vela a higher one (--recursion-limit 10000); in a model of your own look for a function that calls itself.",
        ("RecursionError: maximum recursion depth exceeded while calling a Python object",),
    ),
    Failure(
        "vela-refused",
        r"RuntimeError: (?P<reason>Invalid (?:Compiler Options|System Config))\b",
        "Vela refused what it was given: {reason}",
        "Check the --config file, its sections for system configuration and memory mode, and that Vela is the one that this ExecuTorch release pins.",
        ("RuntimeError: Invalid Compiler Options",),
    ),
    Failure(
        "tosa-specification",
        r"(?P<reason>(?:Malformed TOSA specification|Wrong TOSA version|Failed to parse TOSA specification|Bad extensions for TOSA|Unsupported TOSA|"
        r"Target was \S{1,60} but tosa spec was not|No profile \([^\n]{1,80}\) found in|Too many profiles \([^\n]{1,80}\) found in|"
        r"Unknown TOSA version \S{1,40}, no pip package)[^\n]{0,200})",
        "The TOSA specification does not fit: {reason}",
        "Write it as this release does: TOSA-1.0+INT+u55 for an Ethos-U55 or U65, TOSA-1.0+INT for a U85 (up to 0.7: TOSA-0.80+BI+u55, TOSA-0.80+BI); "
        "EthosUCompileSpec(target) chooses it by itself.",
        (
            "ValueError: Target was ethos-u55-128 but tosa spec was not u55 subset.",
            "ValueError: Wrong TOSA version: 0.80 from TOSA-0.80+BI",
            "RuntimeError: Unknown TOSA version TOSA-1.1+INT, no pip package installed to handle serialization to that version.",
        ),
    ),
    Failure(
        "compile-specification",
        r"compile_?\s?flags are required (?:in the CompileSpec list|for vela output)|compile spec is not targeting Ethos-U",
        "The partitioner was given no Ethos-U compile specification",
        "Make one with EthosUCompileSpec(target=...) and give it to EthosUPartitioner; TOSAPartitioner and VgfPartitioner take others.",
        (
            "ValueError: compile_flags are required in the CompileSpec list for EthosUBackend",
            "RuntimeError: compile spec is not targeting Ethos-U",
        ),
    ),
    Failure(
        "operator-untranslated",
        r"Failed processing (?P<what>call_function|(?:input |parameter |buffer |lifted tensor constant )placeholder): (?P<node>[\w.]{1,100}?)\.(?: Is|\s|$)",
        "The Arm backend cannot translate {node} into TOSA",
        "The exception above it says why. Replace the operator or keep it out of the delegate, and check that the example is of the installed release.",
        (
            "RuntimeError: Failed processing call_function: aten_cumsum_default. Is the original torch function supported?",
        ),
        1,
    ),
    Failure(
        "memory-format",
        r"only supports contiguous memory format for inputs|Expected dim_order: \([\d, ]{1,40}\), but got: \((?P<got>[\d, ]{1,40})\)",
        "The model's inputs or nodes are not contiguous, and this release of the Arm backend takes no other memory format: {got}",
        "Export with contiguous example inputs (x.contiguous(), no to(memory_format=torch.channels_last)); newer releases take channels_last.",
        (
            "RuntimeError: Arm backend only supports contiguous memory format for inputs. Expected dim_order: (0, 1, 2, 3), but got: "
            "(0, 2, 3, 1) for node x",
        ),
    ),
    Failure(
        "border-rank",
        r"Expected (?P<most>\d)D shape, got (?P<rank>\d{1,2})D",
        "A tensor at the delegate's border has {rank} dimensions, and this release takes {most}",
        "Flatten it in the model (reshape to at most {most} dimensions), and check that Vela is the one that this ExecuTorch release pins.",
        ("ValueError: Expected 4D shape, got 6D",),
    ),
)
"""A part of `AOT_FAILURES`, before its rows that only repeat what Vela says."""
