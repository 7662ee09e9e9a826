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
        "Vela's configuration file has no --{option} {value}",
        "Use the Arm/vela.ini of Vela 4.0 or later, which has it (--config Arm/vela.ini), update an older ethos-u-vela, or copy the section into the file "
        "that --config names.",
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
            f"Use one that Arm/vela.ini has for the {npu} (--config Arm/vela.ini): {configs_of(npu.lower())}. Or name the file that has yours: --config FILE.",
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
        f"Use one that Arm/vela.ini has: {', '.join(MEMORY_MODES)} (an older Vela lacks some). Or name the file that has yours: --config FILE.",
        (
            "ethosu.vela.errors.CliOptionError: 'Error: Incorrect argument to CLI option --memory-mode=Shared_Ram: "
            "Section Memory_Mode.Shared_Ram not found in Vela config file'",
        ),
    ),
    Failure(
        "vela-configuration",
        r"Invalid configuration of arena_mem_area=O(?:ff|n)ChipFlash \(must be Sram or Dram\)",
        "Vela refused the configuration: the memory mode puts the arena into flash",
        "Use Shared_Sram or Sram_Only (all that an Ethos-U55 has), or a system config with DRAM (Ethos_U65_High_End, Ethos_U85_SYS_DRAM_Mid): "
        "Dedicated_Sram keeps the arena in the second memory, which is flash in this system config.",
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
        "Name the .ini file that has the system configuration and memory mode: --config FILE (Arm/vela.ini is the one in Vela's package).",
        ("Error: Incorrect argument to CLI option --config=None: Vela config file not specified",),
    ),
    Failure(
        "vela-configuration",
        r"Invalid configuration of arena_cache_size=(?P<value>\S{1,40}) (?P<reason>[^'\n]{1,200})",
        "Vela refused --arena-cache-size {value} {reason}",
        "Give the size in bytes, or leave the option out, so that the memory mode in the --config file sets it.",
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
    "Vela rejected its arguments: {value} is not a valid value for its option",
    "Spell values as vela --help does, capitals included: --optimise Performance or Size, --tensor-allocator Greedy, LinearAlloc or HillClimb.",
    ("KeyError: 'Speed'",),
)
"""For a traceback that ends where Python looks up the name of an enumeration: no other words tell these apart from a defect."""

VELA_REFUSALS: tuple[Failure, ...] = (
    Failure(
        "vela-input",
        r"No networks defined via GraphAPI",
        "Vela could not read its input: the file is not a .tflite or .tosa network",
        "Check what it is (file NAME; a .tflite has TFL3 and a .tosa TOSA at bytes 4 to 7): a partial download, an HTML page, a Git LFS pointer or another "
        "format under that name.",
        ("RuntimeError: Compilation failed: No networks defined via GraphAPI",),
    ),
    Failure(
        "vela-input",
        r"Error: (?P<what>Invalid \.?(?:tflite|TFLite|tosa|TOSA) file\. Got [^\n]{1,300})",
        "Vela could not read its input: {what}",
        "Generate the file again, and use the Vela that matches what wrote it: it is damaged, not a network at all (a Git LFS pointer, an HTML page), or of "
        "another version.",
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
        "Use the Vela release that this ExecuTorch pins, or generate the graph again: it is of another TOSA version, or damaged. ethos-u-vela up to 4.3 "
        "reads TOSA 0.80, as ExecuTorch up to 0.7 writes it, later ones TOSA 1.0.",
        ("Failed to load TOSA model. Buffer contents inconsistent with generated schema",),
    ),
    Failure(
        "vela-input",
        r"Failed to load TfLite model\. (?P<what>Buffer contents inconsistent with generated schema)",
        "Vela could not read its input: {what}",
        "Compare its size with the original's, and generate it again: the file starts as TfLite and is truncated or damaged after that.",
        ("Failed to load TfLite model. Buffer contents inconsistent with generated schema.",),
    ),
    Failure(
        "vela-configuration",
        r"Compilation failed: Error parsing \[(?P<section>[^\]\n]{1,80})\]",
        "Vela refused the configuration: it cannot read section [{section}]",
        "Start from a copy of its own Arm/vela.ini, and use the Vela that the file was written for: an entry of the --config file, or an option that Vela "
        "passes on, has a value that this Vela does not accept.",
        ("RuntimeError: Compilation failed: Error parsing [architecture]",),
    ),
    Failure(
        "vela-configuration",
        r"ValueError: (?P<what>Invalid System Config|Invalid Compiler Options|Unknown architecture EthosU\w{0,20})\b",
        "Vela refused the configuration: {what}",
        "Reinstall the ethos-u-vela that this ExecuTorch release pins (examples/arm/setup.sh), and start from a copy of its own Arm/vela.ini: Vela's Python "
        "and compiled parts (Regor) may be of different releases, or the --config file is broken.",
        ("ValueError: Invalid System Config", "ValueError: Unknown architecture EthosU95"),
    ),
    Failure(
        "vela-input",
        r"Error: (?P<operator>\w{1,60})(?: '[^'\n]{0,300}')? Does not have valid TFLite Semantics\.(?:\n\s*- (?P<why>[^\n]{1,200}))?",
        "Vela rejected the network: its {operator} is not valid TensorFlow Lite: {why}",
        "Give the batch a fixed size (onnx2tf -b 1), convert with another version, or change that layer: the converter wrote an operator that breaks the "
        "format's own rules, or shapes known only at run time.",
        (
            "RuntimeError: Compilation failed: Error: CONV_2D 'm/conv' Does not have valid TFLite Semantics.\n - Scales must be positive\n   m/conv: 0.0",
            "Error: CONV_2D 'm/conv' Does not have valid TFLite Semantics.",
            "RuntimeError: Compilation failed: Error: ADD Does not have valid TFLite Semantics.\n - Index out of bounds",
        ),
    ),
    Failure(
        "vela-refused",
        r"Compilation failed: Validation error:?(?:\n(?P<operator>\w{1,60}:))?(?:\n[ -]{0,8}ERROR_IF[^\n]{0,300})?(?:\n {0,6}- ?(?P<why>[^\n]{1,200}))?",
        "Vela rejected the model: it breaks a TOSA rule: {operator} {why}",
        "Use the ethos-u-vela and tosa-tools that this ExecuTorch release pins (examples/arm/setup.sh): the lowering wrote TOSA that the specification "
        "forbids. If you already do, replace the operator or keep it out of the delegate, and report it.",
        (
            "RuntimeError: Compilation failed: Validation error:\nReshape:\n - ERROR_IF(size(a) != size(b))\n - Sizes do not match",
            "RuntimeError: Compilation failed: Validation error:",
        ),
    ),
    Failure(
        "vela-refused",
        r"TOSA FB Reader error:\n(?:(?P<operator>\w{1,60}:)\n)? {0,6}- ?(?P<why>[^\n]{1,200})",
        "Vela cannot read the TOSA of the model: {operator} {why}",
        "Use the ethos-u-vela and tosa-tools that this ExecuTorch release pins (examples/arm/setup.sh), and compile it again: the tool that wrote it does "
        "not match this Vela, or it is damaged.",
        (
            "RuntimeError: Compilation failed: TOSA FB Reader error:\nCONST:\n - Output tensor 'a' not found",
            "RuntimeError: Compilation failed: TOSA FB Reader error:\n - Unknown data type",
        ),
    ),
    Failure(
        "vela-operator",
        r"RawWriter expects a graph without passthrough/CPU operations \(found (?P<operator>[^)\n]{1,200})\)",
        "Vela cannot run {operator} on this NPU",
        "Compile for another target, replace the operator, or keep it out of the delegate, which has no CPU to fall back on.",
        ("RuntimeError: Compilation failed: RawWriter expects a graph without passthrough/CPU operations (found LOG)",),
    ),
    Failure(
        "vela-refused",
        r"Compilation failed: Failed to find block configuration",
        "Vela found no way to compute an operator of the network in the NPU's buffers",
        "Look first for a dimension that is 0 (an empty batch or slice among the example inputs), then for an extreme shape (a kernel or stride far larger than "
        "usual). Compile in halves to find the layer, and change it or keep it out of the delegate.",
        ("RuntimeError: Compilation failed: Failed to find block configuration",),
    ),
    Failure(
        "vela-memory",
        r"Failed to allocate tensors\. Memory used (?P<used>\d{1,20}), limit (?P<limit>\d{1,20})",
        "The model needs {used} bytes of memory, and Vela may use {limit}",
        "Give it more memory (arena_cache_size of the memory mode in the .ini file, or another memory mode), compile with Vela's --optimise Size, or make "
        "the input smaller.",
        ("RuntimeError: Compilation failed: Failed to allocate tensors. Memory used 4500000, limit 2097152)",),
    ),
    Failure(
        "vela-memory",
        r"AssertionError: Allocation exceeds staging limit",
        "The model's feature maps do not fit the memory that Vela may use for them",
        "Give it more memory (--arena-cache-size, or the memory mode's arena_cache_size in the .ini file), compile with Vela's --optimise Size, or make the "
        "input smaller.",
        ("AssertionError: Allocation exceeds staging limit",),
    ),
    Failure(
        "vela-configuration",
        r"IndexError: (?:_Map_base::at|map::at|invalid unordered_map<K, T> key)",
        "Vela misses a configuration entry, and does not say which",
        "In your own --config file look for spaces at the ends of lines (before Vela 4.5 they are part of the value), for a section that inherits from a "
        "missing one, and for memory areas (arena_mem_area, const_mem_area, axi ports) without a clock scale in the system configuration. Vela's own "
        "Arm/vela.ini is a complete example.",
        ("IndexError: _Map_base::at",),
    ),
    Failure(
        "release-mismatch",
        r"AttributeError: '(?P<table>[A-Z]\w{1,60})' object has no attribute '(?P<field>\w{1,60}AsNumpy)'",
        "The graph's schema and its reader are of different releases: {table} has no {field}",
        PINNED_TOOLS,
        ("AttributeError: 'ReshapeAttribute' object has no attribute 'NewshapeAsNumpy'",),
    ),
    Failure(
        "vela-internal",
        r"regor[^\n]{0,400}Assertion [`'](?P<what>[^'\n]{1,200})' failed",
        "Vela stopped at an internal assertion: {what}",
        "Install the Vela that this ExecuTorch release pins (examples/arm/setup.sh) or a newer one: this is a bug in Vela. Until then compile in halves to "
        "find the operator, and keep it out of the delegate.",
        (
            "/w/ethosu/regor/compiler/raw_writer.cpp:161: void regor::RawWriter::Serialise(const Tensor *): Assertion `tensor->IsConstant()' failed.",
        ),
    ),
    Failure(
        "vela-internal",
        r"Error: (?P<what>(?:Unaligned Value|Illegal Size|Allocation failed): [^\n\"]{1,300})",
        "Vela generated something that it cannot write: {what}",
        "Try the Vela that this ExecuTorch release pins or a newer one, another memory mode, or --optimise Size: this is a bug in Vela.",
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
        "The model is not quantized, and the NPU runs nothing else",
        "Quantize the whole model before compiling it (--quantize, or EthosUQuantizer with calibration), including inputs and outputs that go to the NPU.",
        ("vela: error: Model is not fully quantized",),
    ),
    Failure(
        "vela-option",
        r"\bvela: error: argument --accelerator-config: invalid choice: '(?P<what>ethos-u85-\d{2,4})' \(choose from (?![^\n]{0,400}u85)",
        "This Vela is too old for {what}: it does not know the Ethos-U85",
        "Update to Vela 4.0 or later, which added the Ethos-U85: pip install --upgrade ethos-u-vela, or the one that this ExecuTorch release pins "
        "(examples/arm/setup.sh).",
        (
            "vela: error: argument --accelerator-config: invalid choice: 'ethos-u85-256' (choose from 'ethos-u55-32', 'ethos-u65-512')",
        ),
    ),
    Failure(
        "vela-option",
        r"\bvela: error: unrecognized arguments: (?P<what>--[\w-]{1,40})",
        "This Vela has no option {what}",
        "Leave it out (vela --help lists what there is), or install the ethos-u-vela that the command was written for (vela --version): options change "
        "between Vela releases. One without --verbose-cycle-estimate prints its cycle estimate anyway.",
        ("vela: error: unrecognized arguments: --verbose-cycle-estimate",),
    ),
    Failure(
        "vela-option",
        r"\bvela: error: (?:argument (?P<what>[\w/, -]{1,60}): )?(?P<reason>[^\n]{1,300})",
        "Vela rejected its arguments: {what} {reason}",
        "See vela --help for what this release accepts.",
        (
            "vela: error: argument --accelerator-config: invalid choice: 'ethos-u75-512' (choose from ethos-u55-32, ethos-u55-64)",
        ),
    ),
    Failure(
        "recursion-limit",
        r"^RecursionError: ",
        "A Python program hit its recursion limit: the network is too deep for it",
        "Give Vela a higher limit (--recursion-limit 10000); in your own model look for a function that calls itself.",
        ("RecursionError: maximum recursion depth exceeded while calling a Python object",),
    ),
    Failure(
        "vela-refused",
        r"RuntimeError: (?P<reason>Invalid (?:Compiler Options|System Config))\b",
        "Vela rejected its options: {reason}",
        "Check the --config file, its sections for system configuration and memory mode, and that Vela is the one that this ExecuTorch release pins.",
        ("RuntimeError: Invalid Compiler Options",),
    ),
    Failure(
        "tosa-specification",
        r"(?P<reason>(?:Malformed TOSA specification|TOSA specification not valid|Unhandled extras found|Bad combination of extras|Wrong TOSA version|Failed to parse TOSA specification|Bad extensions for TOSA|Unsupported TOSA|"
        r"Target was \S{1,60} but tosa spec was not|No profile \([^\n]{1,80}\) found in|Too many profiles \([^\n]{1,80}\) found in|"
        r"Unknown TOSA version \S{1,40}, no pip package)[^\n]{0,200})",
        "The TOSA specification does not match: {reason}",
        "Write it as this release expects: TOSA-1.0+INT+u55 for an Ethos-U55 or U65, TOSA-1.0+INT for a U85 (up to 0.7: TOSA-0.80+BI+u55, TOSA-0.80+BI); "
        "EthosUCompileSpec(target) chooses it for you.",
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
        "Create one with EthosUCompileSpec(target=...) and pass it to EthosUPartitioner; TOSAPartitioner and VgfPartitioner take others.",
        (
            "ValueError: compile_flags are required in the CompileSpec list for EthosUBackend",
            "RuntimeError: compile spec is not targeting Ethos-U",
        ),
    ),
    Failure(
        "operator-untranslated",
        r"Failed processing (?P<what>call_function|(?:input |parameter |buffer |lifted tensor constant )placeholder): (?P<node>[\w.]{1,100}?)\.(?: Is|\s|$)",
        "The Arm backend cannot translate {node} into TOSA",
        "Read the exception above it for the reason. Replace the operator or keep it out of the delegate, and check that the example belongs to the "
        "installed release.",
        (
            "RuntimeError: Failed processing call_function: aten_cumsum_default. Is the original torch function supported?",
        ),
        1,
    ),
    Failure(
        "memory-format",
        r"only supports contiguous memory format for inputs|Expected dim_order: \([\d, ]{1,40}\), but got: \((?P<got>[\d, ]{1,40})\)",
        "The model's inputs or nodes are not contiguous, and this release of the Arm backend accepts no other memory format: {got}",
        "Export with contiguous example inputs (x.contiguous(), no to(memory_format=torch.channels_last)); newer releases accept channels_last.",
        (
            "RuntimeError: Arm backend only supports contiguous memory format for inputs. Expected dim_order: (0, 1, 2, 3), but got: "
            "(0, 2, 3, 1) for node x",
        ),
    ),
    Failure(
        "border-rank",
        r"Expected (?P<most>\d)D shape, got (?P<rank>\d{1,2})D",
        "A tensor at the delegate's boundary has {rank} dimensions, and this release allows {most}",
        "Flatten it in the model (reshape to at most {most} dimensions), and check that Vela is the one that this ExecuTorch release pins.",
        ("ValueError: Expected 4D shape, got 6D",),
    ),
)
"""A part of `AOT_FAILURES`, before its rows that only repeat what Vela says."""
