"""What tools on the host put before a line: time stamps, service names, log levels; and which board the line is of.

A capture may have passed through several of them: a terminal program, `ts`, a container runtime, a CI service.  All of
it goes before a line means anything.  A name that tells several sources in one file apart (a container, a process, a
port) is kept as the line's `stream`.
"""

from __future__ import annotations

import re

from ..cleaning import clean, compiled, without_octal
from ..line import LEVELS
from ..named_tuple import NamedTuple

_CLOCK = r"\d{1,2}:\d\d[:.]\d\d(?:[.,:]\d{1,9}){0,2}(?: ?(?:[AP]M|[ap]m)\b)?"
_DATE = r"(?:\d{4}[-/.]\d\d[-/.]\d\d|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d\d/\d\d/\d\d)"
_ZONE = r"(?:Z|[+-]\d\d:?\d\d| (?:UTC|GMT|CES?T|[ECMP][SD]T|JST|KST|IST|BST)(?=\W))?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_WEEKDAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_WHEN = rf"(?:{_DATE}[T ]{_CLOCK}{_ZONE}|(?:{_WEEKDAY} )?{_MONTH} [ \d]?\d {_CLOCK}(?:{_ZONE} \d{{4}})?)"
_STAMP = (
    rf"(?:[\[(](?:{_WHEN}|(?:\d+ )?{_CLOCK}(?: \+?[\d.]+)?|[ +]*\d{{1,10}}\.\d{{3,9}}s?(?: +\d+\.\d{{3,9}})?)[\])]"
    rf"|20\d{{6}} {_CLOCK} - (?:TRACE|DEBUG|INFO|WARN|ERROR|FAIL) +-(?= |\Z)|{_WHEN}(?:(?![\d:])|:(?= ))|{_CLOCK}(?=[ |>-]|\Z)|\d\d:\d\d:\d\d\.\d{{3,6}}:(?= )|\d{{10}}\.\d{{3,9}}(?= |\Z))"
    r"(?: \d\d[OE][ +])?(?:(?<=,\d\d\d) # )? ?"
)
_ZEPHYR_LOG = r"<(?:dbg|inf|wrn|err)> [\w.]{1,64}: "
"""A level and a module of Zephyr's log, behind its stamp or where it is built without."""
_AFTER_STAMP = (
    r"(?:(?:\u6536\u2190\u25c6|\ufffd\u0561\ufffd{3}) ?)?"  # SSCOM's mark of what was received, in UTF-8 and in GBK
    r"(?:[WEFi]?: +\[Step \d{1,3}/\d{1,3}\] +)?"  # TeamCity
    r"(?:[+-]\d{4} +)?(?:-- |-> |- |\| |> |<< |\[RX\] - |std(?:out|err) [FP] )?(?:(?![A-Z][a-z]{1,20} [a-z]{1,20}\[\d{1,3}\]: )(?P<host>[\w.-]{1,64}) (?P<name>[\w./@-]{1,64}\[\d{1,10}\]|kernel): )?"
    r"(?:- )?(?:[\w.]{1,64} - (?:DEBUG|INFO|WARNING|ERROR|CRITICAL) - (?:DEVICE: ?)?|\[ *(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\] "
    r"|(?:DEBUG|INFO|WARNING|ERROR): \[[\w.-]{1,40}\] |(?:DEBUG|INFO|WARNING|ERROR) +(?:[A-Za-z_][\w.-]{0,64}:(?: |\Z)"
    r"|\| [\w.]{1,80}:[\w<>]{1,60}:\d{1,6} - ))?"  # loguru
    rf"(?:{_ZEPHYR_LOG})?"
)
_SERVICE = r"(?P<name>[a-z0-9][a-z0-9_.-]{0,62}(?:[-_]\d+ *| {2,}))\| ?"
_TICK = r"\A\d{1,10} \d{1,12} \[[\w .-]{1,32}\] (?=\[(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\] )"
"""FreeRTOS: a number, the tick, and the task, which is no source of its own: the tasks of a board share one run."""
_DEVICE = r"(?:DEBUG|INFO) +- (?:DEVICE|OUTPUT):(?: |\Z)"
"""Zephyr's twister, which shows what a device or a simulator prints."""
_LOGGER = r"(?:DEBUG|INFO):[A-Za-z_][\w.]{0,80}:(?=\s{0,32}\S)"
"""Python's logging as it is set up by default."""
_ESP_LOG = r"[EWIDV] \((?:\d{1,10}|\d\d:\d\d:\d\d\.\d{3})\) [\w.:/-]{1,40}?: ?"
"""ESP-IDF: the level, milliseconds since the start or the time, and who prints."""
_BUILD_STEP = r"\A#\d{1,4} \d{1,6}\.\d{1,3}(?: |\Z)"
"""docker build (BuildKit): the step and its seconds."""
_ELAPSED = r"\A\[ *\d{1,10}(?:\.\d{1,3})? ?ms\](?: |\Z)"
_LAVA = '- {"dt":'
_SYSLOG_MESSAGE = "msg: '"
"""Among all that rsyslog knows of a message, each in its row."""
_JOURNAL = ("{", "data: {", '"MESSAGE" : ')
_PORT = r"(?P<name>COM\d{1,3}):(?: |\Z)"
_MARKS = ("ET| ", "TFLM - ", "__output__", "uart:~$ ", "MESSAGE=", "#: ", "DEBUG: #: ")
"""What a fork prints before each line of the runtime and the evaluation kit before each of TensorFlow's, what a page of instructions leaves before each line of output,
the prompt of Zephyr's shell, which stands before the line of the log that comes next, the field of the message in an exported journal,
and what Zephyr's test harness puts before each line of a device, on the console behind the level."""
_ITEMS = ("- `", "* `")
_MARKED = frozenset("#-*`")
_TERMINAL = r"(?P<name>)\d\d> "
_POD = r"\[(?P<name>pod/[^\]]{1,120})\] "
NAMED = rb"[\w./@\x80-\xff-]\[\d{1,10}\]: |kernel: |\| |> |\[pod/|COM\d"
"""Where none of this is in a text, no line of it has a name of its source, as these patterns know it."""
_TEST_LOG = r"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) +[\w.]{1,80}:[\w./-]{1,80}\.py:\d{1,6} "
_TEST_FILE = (
    r"(?:[\w.-]{1,60}/){0,12}(?:test_\w{1,80}|\w{1,80}_test)\.py(?:::[\w:]{1,160}(?:\[[^\]\s]{0,160}\])?)? (?=\S)"
)
"""pytest, behind whose name of a file or a test the first line of the output stands where nothing captures that."""
_WEB_TAGS = r"(?:<(?:div|p|details|summary)(?: [^<>]{0,120})?>){0,3}<pre(?: [^<>]{0,120})?>(?:<(?:code|samp|span)(?: [^<>]{0,120})?>){0,2}"
_WEB_TAGS += rf"|<span class=\"timestamp\">(?:<b>)?{_CLOCK}(?:</b>)? ?</span>(?:<span style=\"[^<>]{{1,40}}\">[^<>]{{1,40}}</span>)?"
_WEB_TAGS += r"|(?:<[?/]?[A-Za-z][^<>]{0,400}>){0,16}<(?:system-(?:out|err)|failure|error|msg)(?: [^<>]{1,400})?>(?:<!\[CDATA\[)?"
"""The beginning of a listing on a web page, of what a test printed or said in a file of results, and the time before a line of Jenkins's page."""
_JOB = rf"(?P<name>[^\t]{{1,120}})\t[^\t]{{1,120}}\t(?=\ufeff?\d{{4}}-\d\d-\d\dT)|(?:simple|command|build|error)\t\d\d-{_MONTH}-\d{{4}} {_CLOCK}\t"
"""A log of GitHub or of Bamboo, with tabs behind what tells where a line is of."""
LABEL = r"[\[(</]?[A-Za-z][\w.:/@-]{1,40}[\])>|:]{0,2} +(?:[|>-]+ +)?"
"""A name that some other tool may have put before every line of a source: one word, brackets and a blank."""

HEAD_BYTES = 48 << 10
"""So much of the beginning of a stored log tells what stands around all its lines."""
_MAY_BE_FRAMED = frozenset(bytes((first,)) for first in b" \t/0123456789[(<{+>*-#\"'`~@b|\xe2")
"""How text begins, around every line of which something may stand."""
_FIRST_LINES = 6
_MORE_BYTES, _FEW = 2048, 2
"""Where most lines of these begin alike, a tool's own words may stand before the first."""
_ONE_DIGIT = bytes.maketrans(b"123456789", b"000000000")
_MAY_STAND_FIRST = b"\xef\xbb\xbf\r\n"
"""What an editor or a terminal may have put at the very beginning: a byte order mark, empty lines."""


def may_be_framed(head: bytes) -> bool:
    """Whether a log that begins so is worth a look: by its first character, or as its first lines begin with few words."""
    head = head.lstrip(_MAY_STAND_FIRST)
    if head[:1] in _MAY_BE_FRAMED or b' msg="' in head[:400] or b"\n@@ -" in head:
        return True
    lines = head[:HEAD_BYTES].split(b"\n", _FIRST_LINES)[:_FIRST_LINES]
    words = {line[: line.find(b" ", 0, 64) + 1] for line in lines}
    if min(map(len, words)) > 2 and len(words) <= (len(lines) + 1) // 2:  # a level alone is the log's own
        return True
    begun = [line.split(b" ", 1)[0] for line in head[:_MORE_BYTES].translate(_ONE_DIGIT).split(b"\n") if b" " in line]
    return any(2 * begun.count(word) > len(begun) > 2 * _FEW for word in set(begun) if word[:1] in _MAY_BE_FRAMED)


class Frame(NamedTuple):
    """What stands around every line of a log that was quoted: in a list, a table, source code, a web page, or by grep."""

    head: str
    tail: str

    def taken_off(self, body: str) -> str:
        """The line without it; `body` has no blanks in front."""
        head = compiled(self.head).match(body)
        if head is None:
            return body
        body = body[head.end() :].lstrip()
        if "\\" in body and self.head.startswith(_WRITTEN_AS_JSON):
            body = compiled(r"(?<!\\)\\(?:t|u0009)").sub(" ", body)
            body = clean(compiled(r"(?<!\\)(?:\\u[0-9a-fA-F]{4}){1,400}").sub(_characters, body)).lstrip()
            for written, meant in (('\\"', '"'), ("\\/", "/"), ("\\\\", "\\")):
                body = body.replace(written, meant)
        ended = self.tail and (body[-1:] in _FRAME_LAST or self.head == _LOGFMT)
        return compiled(self.tail).sub("", body, 1).rstrip() if ended else body


def _characters(written: re.Match[str]) -> str:
    """What JSON's numbers of characters stand for, two for one beyond the first 65,536."""
    numbers = bytes.fromhex(written.group().replace("\\u", ""))
    return numbers.decode("utf-16-be", "replace")


NOTEBOOK = Frame(r"\"(?:(?:text(?:/plain)?|data|traceback)\": ?\[? ?\")?", r"(?:\\[nr]){0,4}\"(?:,| ?\],?)?\s*\Z")
"""The lines of a cell's output in the file of a notebook, which has each of them as a string."""
_PAIR = r"[\w.-]{1,32}=(?:\"[^\"]{0,80}\"|[^\s\"]{1,60})"
_LOGFMT = rf"(?:{_PAIR} ){{0,8}}(?:msg|message|line)=\""
_TAG = r"(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?: ?[+-]\d\d:?\d\d|Z)\s{1,8})?(?:[\w.*-]{1,80}(?::\s?|\s)\s{0,8})?"
"""What fluentd puts before a record: the time, and the name of what it is of."""
_WRITTEN_AS_JSON = (_TAG, NOTEBOOK.head, _LOGFMT)
_FRAME_LAST = "`\"',|>}]+\\\u2502"
_FRAMES = (
    Frame(r"\d{1,6}(?:[:.)|]{0,2}\s{1,8}(?:\|\s{1,4})?|[:\u2192])", ""),
    Frame(r"(?:[>*+#-]|//)(?:[>*+#/ -]{0,7}(?:[>*#/ ]|[+-](?![\d.])))?", ""),  # a sign before a number is the number's
    Frame(r"[|\u2502](?: {0,4}\d{1,6} {0,4}\|)?[ >|-]{0,4}", r"[|\u2502]\s*\Z"),
    Frame(r"[- ~@]{0,4}(?:[A-Za-z]\w{0,20}: )?b?[`\"']{1,3}", r"(?:\\[nr]){0,4}[`\"']{1,3}(?:,| ?[+\\])?\s*\Z"),
    Frame(r"(?:</?\w{1,10}(?: [^<>]{0,80})?>){1,6}", r"(?:</?(?:o:)?\w{1,10}>|<br ?/?>){1,6}\s*\Z"),
    Frame(
        _TAG
        + r"\{(?:\"[\w.@-]{1,32}\": ?(?:\"[^\"\\{}]{0,80}\"|[\w.+-]{1,40}), ?){0,8}\"(?:log|msg|message|MESSAGE|event|line|text|data)\": ?\"",
        r"(?:\\[nr]){0,3}\"(?:, ?\"[\w.@-]{1,32}\": ?(?:\"[^\"{}]{0,80}\"|[\w.+-]{1,40}|\{[^{}]{0,400}\})){0,12}\},?\s*\Z",
    ),
    Frame(_LOGFMT, rf"(?:\\[nr]){{0,3}}\"(?: {_PAIR}){{0,8}}\s*\Z"),
    Frame(r"(?:[^,\"]{1,40},){1,4}\"", r"\"(?:,[^,\"]{0,40}){0,4}\s*\Z"),
    Frame(r"[\w./@+-]{1,80}\.(?:log|txt|out)(?:[:-]\d{1,7})?[:-]\s{0,8}", ""),
)

_STAMP_LIKE = r"[\d\[(<+][^A-Za-z]*(?:[A-Za-z]{1,6}[^A-Za-z]+){0,4}(?<=[\s:;,|>\])\u2192])"
"""What some tool may have counted or timed lines with in a way of its own: figures, marks, and few short words."""
_NUMBER_OR_BLANKS = r"\d+|\s+"
_OPENS_STRING = r"\Wb?['\"]\Z"
LONGEST_WORDS = 160
"""Characters that a tool puts before a line: syslog has a time stamp, three names and data in brackets."""


def frame_of(head: str, text: str = "") -> Frame | None:
    """The frame that this beginning of a line is the head of: line numbers, list marks, quotes, tags.

    With the whole line as `text`, what looks like the stamp of an unknown tool is one, too, whatever its figures are.
    """
    words = head.strip()
    if not words or len(words) > 160:
        return None
    words += " " * (head[-1:] == " ")
    known = next((frame for frame in _FRAMES if compiled(frame.head).fullmatch(words)), None)
    text = text.lstrip()
    if not text or (known is not None and text.startswith(head)) or compiled(LABEL).fullmatch(head):
        return known
    return _of_stamp(head, text) or known or _of_words(head, text)


def _of_stamp(head: str, text: str) -> Frame | None:
    """The frame of lines that begin as this one does up to the end of `head`, but for their figures."""
    stamp = text[: text.find(head) + len(head)] if head in text else ""
    if not 1 < len(stamp) <= 64 or not any(map(str.isdigit, stamp)) or not compiled(_STAMP_LIKE).fullmatch(stamp):
        return None
    return frame_of_words(stamp)


def _of_words(head: str, text: str) -> Frame | None:
    """The same for words of any kind, where a blank stands behind them: a host and a program, a driver and its port."""
    words = text[: text.find(head) + len(head)] if head in text else ""
    ended = words[-1:] == " " or compiled(_OPENS_STRING).search(words)
    return frame_of_words(words) if 3 < len(words) <= LONGEST_WORDS and ended else None


def frame_of_words(stamp: str) -> Frame:
    """The frame of lines that begin with this, whatever their figures are; what opens a string, as Python shows one, also ends it."""
    shape, place = "", 0
    tail = rf"(?:\\[nr]){{0,4}}{stamp[-1]}\s*\Z" if compiled(_OPENS_STRING).search(stamp) else ""
    for found in compiled(_NUMBER_OR_BLANKS).finditer(stamp):
        opens = stamp[found.start() - 1 : found.start()] in ("[", "(")
        pad = r"\s{0,8}" if opens else ""  # as wide as the widest number
        number = found.group()[0].isdigit()
        shape += re.escape(stamp[place : found.start()]) + (pad + r"\d{1,20}" if number else pad or r"\s{1,32}")
        place = found.end()
    return Frame(shape + re.escape(stamp[place:]), tail)


_COMMON = (
    r"[\d\[(<+](?:[\d\s:.,/+()\[\]<>|;_\u2192-]|(?<=\d)(?:T|Z|m?s)(?=[\d\W])|(?<=\])[WEFi](?=:)|\b(?:[AP]M|[ap]m|Step|[RT]X?|UTC|GMT|CES?T|[ECMP][SD]T)\b)*"
    r"(?<=[\s:;,|>\]\)\u2192])"
)
"""A stamp of any kind: figures, marks, and what clocks have for words."""


def frame_of_all(lines: list[str]) -> Frame | None:
    """The frame that each of these lines stands in; tables, whose rows mean something as they are, are none."""
    label = compiled(LABEL).match(lines[0])
    named = label is not None and all(line.startswith(label.group()) for line in lines)
    return (
        _around(lines, tail=True)
        or _common_stamp(lines)
        or _around(lines, tail=False)
        or (Frame(re.escape(label.group()), "") if named and label is not None else None)
    )


def _around(lines: list[str], *, tail: bool) -> Frame | None:
    for frame in _FRAMES:
        if bool(frame.tail) is tail and all(
            line[0] not in "|\u2502"
            and compiled(frame.head).match(line)
            and (not tail or compiled(frame.tail).search(line))
            for line in lines
        ):
            return frame
    return None


def _common_stamp(lines: list[str]) -> Frame | None:
    """The frame of lines that begin alike but for their figures."""
    shapes = [compiled(r"(?<=[\[(])\s*\d+|\d+").sub("0", line[:80]) for line in lines]
    low, high = min(shapes), max(shapes)
    alike = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    stamp = compiled(_COMMON).match(low[:alike])
    return _of_stamp(stamp.group(), stamp.group()) if stamp is not None else None


_PROGRESS = r"\A\d{1,3}%\|[^|]{0,300}\|[^\[]{1,40}\[[^\]]{1,60}\](?=.)"
"""A bar of tqdm, behind which what the program printed meanwhile goes on."""
_SYSLOG = r"<\d{1,3}>\d{1,2} [\dT:.+Z-]{1,40} \S{1,255} \S{1,48} \S{1,128} \S{1,32} (?:-|(?:\[[^\]]{1,200}\]){1,4}) ?"
"""RFC 5424: priority and version, the time, host, program, process, kind of message, and data in brackets."""
_TAI64N = r"\A@4[0-9a-f]{23}\s{1,8}"
"""The time as multilog writes it: seconds and nanoseconds of atomic time in sixteens."""
_STAMP_FIRST = frozenset("0123456789[(")
_COLOURED = frozenset("01239K?")
_COLOUR = r"\A(?:\[(?:(?:0|1|(?:[01];)?[39][0-7](?:;1)?|38;5;\d{1,3})m|[0-2]?K(?![A-Za-z])|\?\d{1,4}[hl])){1,4}(?=[^\s\]])(?!s\])"
"""What is left of a terminal's colours, or of a line that it cleared, where the escape character was lost."""
_STAMP_WORDS = frozenset("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun".split())
_SHOWN_BY = frozenset(("COM", "DEB", "INF"))
"""How lines begin that `_PORT`, `_DEVICE` or `_LOGGER` may match."""
_MOST_PREFIXES = 6


_BYTES = frozenset(("b'", 'b"'))
"""How Python prints the bytes that it read from a port."""
_ESCAPED = {"r": " ", "n": " ", "t": " ", "\\": "\\", "'": "'", '"': '"', "x04": ""}


def _as_read(body: str) -> str:
    """The line that a program of Python read and printed as bytes; what no console shows stays as it is written.

    Where it read several at once, a blank stays between them: no number goes on over the end of its line.
    """
    return compiled(r"\\(x04|[rnt'\"\\])").sub(lambda mark: _ESCAPED[mark[1]], body[2:-1]).strip()


def _unmarked(body: str) -> str:
    """The line without what begins with one of `_MARKED`: a step of a build, LAVA's JSON, an item of a list, code, bold type."""
    if body.startswith(_LAVA):
        from .lava import message_of  # only here: few captures come from there

        return message_of(body)
    if body[:3] in _ITEMS:
        code = body.rstrip()
        return code[3:-1].strip() if code[-1:] == "`" else body
    if body.startswith("**"):  # in bold type
        bold = body[2:].rstrip()
        whole = bold[-2:] == "**" and bold.find("*") == len(bold) - 2 > 0
        whole = whole and not (bold[-3] == ":" and "`" in bold)  # a title: it names what a reader may have met
        return bold[:-2] if whole and " " not in (bold[0], bold[-3]) else body  # OpenOCD has blanks inside its marks
    if body.startswith("```"):  # a fence, behind which stands a language alone or the first line of the code
        return body[3:].strip() if " " in body and body[3] != "`" else body
    if body[0] == "`":  # what somebody set as code, perhaps as the end of a sentence
        code = body[1:].rstrip(".,;:")
        at = code.find("`")
        if at < 0 and code.strip():
            return body[1:].strip()  # the first line of several
        return code[:-1].strip() if at == len(code) - 1 > 0 else body
    return compiled(_BUILD_STEP).sub("", body, 1).lstrip() if body[1:2].isdigit() else body


LEVELS_OF_LOGGERS = ("DEBUG ", "INFO ", "WARNING ", "ERROR ", "CRITICAL ")
"""What Python's logging writes before the name of a logger, which may be that of a board."""
_BESIDE_NAME = r"\A(?:- |(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):)| - (?:DEBUG|INFO|WARNING|ERROR|CRITICAL) - \Z"


def undecorated(body: str, labels: tuple[str, ...] = ()) -> tuple[str, str]:
    """The line without what host tools put before it, and the name of its source ("" where there is none)."""
    stream, of_board = "", False
    for _ in range(_MOST_PREFIXES):
        length = len(body)
        if labels and body.startswith(labels):  # one look, as ctest has hundreds
            label = next(filter(body.startswith, labels))
            of_logger = label in LEVELS_OF_LOGGERS
            if not (of_board and of_logger):  # behind the name of a board it is a word of that board
                by_itself = label[-1] == " " and label[0] != "-"
                stream = (label if by_itself else compiled(_BESIDE_NAME).sub("", label)).strip()
                body = body[len(label) :].lstrip()
                of_board = of_board or not of_logger
        first = body[:1]
        if first == "[" and body[1:2] in _COLOURED:
            body = compiled(_COLOUR).sub("", body, 1)
        if first in _STAMP_FIRST or body[:3] in _STAMP_WORDS:
            stamp = compiled(_STAMP).match(body)
            if stamp is not None:
                body = body[stamp.end() :].lstrip()
                if body[1:3] == " [" and body[0] in LEVELS:
                    return body, stream  # a log prefix, in front of which nothing else stands
                if labels and body.startswith(labels):
                    continue
                more = compiled(_AFTER_STAMP).match(body)
                if more is not None and more.end():
                    stream = more["name"] or stream
                    body = body[more.end() :].lstrip()
                    body = without_octal(body) if more["name"] and "#0" in body else body
            if body[:1] == "[" and body.find("ms] ", 0, 24) > 0:
                body = compiled(_ELAPSED).sub("", body, 1)
            if body[:1].isdigit() and body.find("] [", 0, 64) > 0:
                body = compiled(_TICK).sub("", body, 1)
            if body.find("%|", 1, 5) > 0:
                body = compiled(_PROGRESS).sub("", body, 1)
        if body.startswith(_MARKS):  # one look, as most lines have none
            body = body[next(len(mark) for mark in _MARKS if body.startswith(mark)) :].lstrip()
        if body[:2] == "@4":
            body = compiled(_TAI64N).sub("", body, 1)
        if body[:1] == "<":
            known = _ZEPHYR_LOG if body[4:6] == "> " else _SYSLOG if body[1:2].isdigit() else _WEB_TAGS
            module = compiled(known).match(body)
            body = body[module.end() :].lstrip() if module is not None else body
        if body[1:3] == " (":
            logged = compiled(_ESP_LOG).match(body)
            body = body[logged.end() :].lstrip() if logged is not None else body
        if body[:1] in _MARKED:
            body = _unmarked(body)
        if body.startswith(_SYSLOG_MESSAGE) and body.endswith("'", len(_SYSLOG_MESSAGE)):
            body = body[len(_SYSLOG_MESSAGE) : -1].strip()
        if body.startswith(_JOURNAL) and '"MESSAGE"' in body:
            from .journal import message_of  # only here: few captures come from there

            body = message_of(body)
        if body[:2] in _BYTES and body[-1] == body[1]:
            body = _as_read(body)
        if body[2:4] == "> " or body.find("| ", 0, 80) > 0 or body.startswith("[pod/"):
            named = compiled(_SERVICE).match(body) or compiled(_TERMINAL).match(body) or compiled(_POD).match(body)
            if named is not None:
                stream = named["name"].strip()
                body = body[named.end() :].lstrip()
        if body[:3] in _SHOWN_BY and (
            body[0] == "C" or ":" in body[4:6] or body.find("E:", 9, 24) > 0 or body.find("T:", 9, 24) > 0
        ):
            shown = compiled(_PORT).match(body) or compiled(_DEVICE).match(body) or compiled(_LOGGER).match(body)
            if shown is not None:
                stream = shown["name"] if shown.re.groups else stream
                body = body[shown.end() :].lstrip()
        if body[:4] == "E   " or body[:2] == "> ":  # quoted: a failed assertion of pytest, a mail
            body = body[1:].lstrip()
        if body.find(".py", 0, 170) > 0:
            logged = compiled(_TEST_LOG).match(body) or compiled(_TEST_FILE).match(body)
            if logged is not None:
                body = body[logged.end() :].lstrip()
        if len(body) == length:
            break
    return body, stream


def without_job(text: str) -> str:
    """A line of a downloaded CI log without the names of its job and step, which are set off by tabs."""
    job = compiled(_JOB).match(text)
    return text[job.end() :] if job is not None else text


def host_time(text: str) -> str | None:
    """The time stamp of a host tool that this text begins with, as printed."""
    if text[:1] not in _STAMP_FIRST and text[:3] not in _STAMP_WORDS:
        return None
    stamp = compiled(_STAMP).match(text)
    return stamp.group().strip() if stamp is not None else None
