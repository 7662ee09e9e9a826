"""What Python says of files that it cannot read: weights of another machine, text of another code page, source of a newer Python."""

from __future__ import annotations

from .causes import Failure

FILE_FAILURES: tuple[Failure, ...] = (
    Failure(
        "source-shadows-package",
        r"FileNotFoundError: [^\n]{0,60}No such file or directory: '(?P<file>[^'\n]{0,200}exir/_serialize/\w{1,40}\.fbs)'",
        "Python takes ExecuTorch's source tree for the installed package, and that has no {file}",
        "Take the checkout out of PYTHONPATH and run from another folder (import executorch; print(executorch.__path__) shows which one counts), or "
        "install the checkout: ./install_executorch.sh.",
        ("FileNotFoundError: [Errno 2] No such file or directory: '/w/executorch/exir/_serialize/program.fbs'",),
    ),
    Failure(
        "weights-on-gpu",
        r"RuntimeError: Attempting to deserialize object on a CUDA device",
        "The weights were saved on a GPU, and this PyTorch has none",
        "Load them onto the CPU: torch.load(FILE, map_location='cpu') in the model's file, before the compile takes the model.",
        ("RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.",),
    ),
    Failure(
        "text-encoding",
        r"UnicodeDecodeError: 'utf-?8' codec can't decode byte (?P<byte>0x[0-9a-fA-F]{2})",
        "Python reads as text what is none, or is of another encoding (the byte {byte} is no UTF-8)",
        "The traceback names who read it: a .pt, .pte or .tflite was given where a text is meant, the file is torn, or an editor saved it in the code page "
        "of Windows: save it as UTF-8.",
        ("UnicodeDecodeError: 'utf-8' codec can't decode byte 0x80 in position 0: invalid start byte",),
    ),
    Failure(
        "text-encoding",
        r"UnicodeDecodeError: '(?P<codec>[\w-]{1,30})' codec can't decode byte (?P<byte>0x[0-9a-fA-F]{2})",
        "Python reads a text with the wrong encoding ({codec} does not know the byte {byte})",
        "Set PYTHONUTF8=1 (on Windows Python takes the system's code page otherwise) and run the step again; where the file is no text, another "
        "one was meant.",
        ("UnicodeDecodeError: 'charmap' codec can't decode byte 0x8f in position 7: character maps to <undefined>",),
    ),
    Failure(
        "text-encoding",
        r"UnicodeDecodeError: '(?P<codec>[\w-]{1,30})' codec can't decode bytes in position (?P<where>\d{1,12}-\d{1,12})",
        "Python reads as text what is none, or is of another encoding (the bytes {where} are no {codec})",
        "The traceback names who read it: another file was meant, the file is torn, or it was saved in another encoding: save it as UTF-8.",
        ("UnicodeDecodeError: 'utf-8' codec can't decode bytes in position 10-11: invalid continuation byte",),
    ),
    Failure(
        "text-encoding",
        r"UnicodeEncodeError: '(?P<codec>[\w-]{1,30})' codec can't encode characters? ",
        "Python may not write a character here: its output is taken to be {codec}",
        "Set PYTHONUTF8=1 (in a container also LANG=C.UTF-8) and run the step again.",
        ("UnicodeEncodeError: 'charmap' codec can't encode character '\\u2713' in position 0: character maps to <undefined>",),
    ),
    Failure(
        "json-damaged",
        r"JSONDecodeError: (?P<reason>[^\n]{1,160})",
        "A JSON file is empty, torn or no JSON: {reason}",
        "The traceback names who read it; make that file again (an ETRecord or a configuration), and look whether a download left a page in its place.",
        ("json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",),
    ),
    Failure(
        "python-syntax",
        r"SyntaxError: (?P<reason>[^\n]{1,160})",
        "Python does not understand a file: {reason}",
        "The lines above it show the place; where it is ExecuTorch's own code, this Python is too old for it (python3 --version; 3.10 at least): make "
        "the environment with a newer one.",
        ("SyntaxError: invalid syntax",),
    ),
)  # fmt: skip
"""A part of `AOT_FAILURES`, before its rows for packages."""
