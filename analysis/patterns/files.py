"""What runners say of files and of their command line: semihosting, input and output files, the server mode."""

from __future__ import annotations

from .table import Pattern as P

FILES: tuple[P, ...] = (
    P("semihosting", "Running executor with parameter:", ("Running executor with parameter:",)),
    P("reading_model", "Reading pte model from file {path:word}", ("Reading pte model from file softmax.pte",)),
    P(
        "file_open_failed",
        "Could not open file {path:text} (errno: {errno:int}) for reading, exiting!",
        ("Could not open file nope.pte (errno: 2) for reading, exiting!",),
    ),
    P(
        "file_open_failed",
        "Could not open file {path:mounted} (errno: {errno:int})",
        ("Could not open file /spiffs/model.pte (errno: 2)",),
        "esp",
    ),
    P(
        "input_file",
        "Reading input tensor {index:int} from file {path:word}",
        ("Reading input tensor 1 from file i.bin",),
    ),
    *(
        P("file_read_failed", f"{text} from file {{path:word}} {end}", (f"{sample} from file a.bin {end}",))
        for text, sample in (
            ("Reading input tensor {index:int}", "Reading input tensor 1"),
            ("Reading pte model", "Reading pte model"),
        )
        for end in ("ERROR Out of memory", "failed.")
    ),
    P(
        "file_read_failed",
        "Failed to read whole file ({path:text}), read {size:int} bytes!",
        ("Failed to read whole file (%), read 100 bytes!", "Failed to read whole file (in.bin), read 100 bytes!"),
        "0.4..",
    ),
    P(
        "file_read_failed",
        "Failed to allocate input file size:{size:int}",
        ("Failed to allocate input file size:602112",),
        "0.7..",
    ),
    P("output_file", "Writing output to file: {path:rest}", ("Writing output to file: out-0.bin",)),
    P("server_mode", "Running in semihosting server mode.", ("Running in semihosting server mode.",), "main"),
    P(
        "server_mode",
        "Running in server mode; waiting for stdin triggers.",
        ("Running in server mode; waiting for stdin triggers.",),
        "linux 1.4..",
    ),
    P("server_done", "SERVER MODE DONE", ("SERVER MODE DONE",), "linux 1.4.."),
    # the Linux executor_runner
    P("bundle_detected", "PTE Model with bundle io detected.", ("PTE Model with bundle io detected.",), "1.1.."),
    P("bundle_absent", "PTE Model has no bundled IO", ("PTE Model has no bundled IO",), "1.1.."),
    P(
        "pte_size",
        "Bundled IO PTE Model data loaded. Size: {size:int} bytes.",
        ("Bundled IO PTE Model data loaded. Size: 960 bytes.",),
        "1.1..",
    ),
    P("inputs_start", "Getting inputs from bundled IO", ("Getting inputs from bundled IO",), "1.1.."),
    P("input_files", "Loading inputs from input file(s).", ("Loading inputs from input file(s).",), "1.1.."),
    P("inputs_start", "Preparing inputs.", ("Preparing inputs.",), "0.6.."),
    P("inputs_ready", "Inputs prepared.", ("Inputs prepared.",), "0.1.."),
    P("data_file", "Loading tensor data from .ptd file.", ("Loading tensor data from .ptd file.",), "1.1.."),
    P("data_file", "PTD file {path:text} is loaded.", ("PTD file weights.ptd is loaded.",), "1.1.."),
    P("data_file", "PTD data map created with {count:int} keys.", ("PTD data map created with 4 keys.",), "1.1.."),
    P(
        "threads",
        "Resetting threadpool with num threads = {count:int}",
        ("Resetting threadpool with num threads = 4",),
        "0.6..",
    ),
    P("etdump_file", "ETDump written to file '{path:text}'.", ("ETDump written to file 'etdump.bin'.",), "0.6.."),
)
