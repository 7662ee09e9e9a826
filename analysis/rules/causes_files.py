"""What Python says of files that it cannot read: weights of another machine, text of another code page, source of a newer Python."""

from __future__ import annotations

from .causes import Failure

FILE_FAILURES: tuple[Failure, ...] = (
    Failure(
        "source-shadows-package",
        r"FileNotFoundError: [^\n]{0,60}No such file or directory: '(?P<file>[^'\n]{0,200}exir/_serialize/\w{1,40}\.fbs)'",
        "Python imports ExecuTorch's source tree instead of the package, and it has no {file}",
        "Remove the checkout from PYTHONPATH and run from another folder (import executorch; print(executorch.__path__) shows which one is used), "
        "or install the checkout: ./install_executorch.sh.",
        ("FileNotFoundError: [Errno 2] No such file or directory: '/w/executorch/exir/_serialize/program.fbs'",),
    ),
    Failure(
        "weights-on-gpu",
        r"RuntimeError: Attempting to deserialize object on a CUDA device",
        "The weights were saved on a GPU, and this PyTorch can use none",
        "Load them onto the CPU: torch.load(FILE, map_location='cpu') in the model's file, before the compile takes the model.",
        ("RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.",),
    ),
    Failure(
        "text-encoding",
        r"UnicodeDecodeError: 'utf-?8' codec can't decode byte (?P<byte>0x[0-9a-fA-F]{2})",
        "Python reads a file as UTF-8 text, and it is not (byte {byte})",
        "See in the traceback who read it: a .pt, .pte or .tflite was given where a text file is expected, the file is damaged, or an editor "
        "saved it in a Windows code page (save it as UTF-8).",
        ("UnicodeDecodeError: 'utf-8' codec can't decode byte 0x80 in position 0: invalid start byte",),
    ),
    Failure(
        "text-encoding",
        r"UnicodeDecodeError: '(?P<codec>[\w-]{1,30})' codec can't decode byte (?P<byte>0x[0-9a-fA-F]{2})",
        "Python reads a text file with the wrong encoding ({codec} has no byte {byte})",
        "Set PYTHONUTF8=1 (otherwise Python on Windows uses the system code page) and run the step again; if the file is not text, it is the "
        "wrong file.",
        ("UnicodeDecodeError: 'charmap' codec can't decode byte 0x8f in position 7: character maps to <undefined>",),
    ),
    Failure(
        "text-encoding",
        r"UnicodeDecodeError: '(?P<codec>[\w-]{1,30})' codec can't decode bytes in position (?P<where>\d{1,12}-\d{1,12})",
        "Python reads a file as {codec} text, and it is not (bytes {where})",
        "See in the traceback who read it: it is the wrong file, it is damaged, or it was saved in another encoding (save it as UTF-8).",
        ("UnicodeDecodeError: 'utf-8' codec can't decode bytes in position 10-11: invalid continuation byte",),
    ),
    Failure(
        "text-encoding",
        r"UnicodeEncodeError: '(?P<codec>[\w-]{1,30})' codec can't encode characters? ",
        "Python cannot print a character: its output encoding is {codec}",
        "Set PYTHONUTF8=1 (in a container also LANG=C.UTF-8) and run the step again.",
        ("UnicodeEncodeError: 'charmap' codec can't encode character '\\u2713' in position 0: character maps to <undefined>",),
    ),
    Failure(
        "json-damaged",
        r"JSONDecodeError: (?P<reason>[^\n]{1,160})",
        "A JSON file is empty, truncated or not JSON: {reason}",
        "See in the traceback who read it, and create that file again (an ETRecord or a configuration); check whether a download left a web page "
        "in its place.",
        ("json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",),
    ),
    Failure(
        "python-syntax",
        r"SyntaxError: (?P<reason>[^\n]{1,160})",
        "Python cannot parse a file: {reason}",
        "Correct the place that the lines above show; if it is in ExecuTorch's own code, this Python is too old (python3 --version; at least "
        "3.10): create the environment with a newer one.",
        ("SyntaxError: invalid syntax",),
    ),
)  # fmt: skip
"""A part of `AOT_FAILURES`, before its rows for packages."""
