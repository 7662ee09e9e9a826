"""What runs on the other machine: lines of POSIX sh that need nothing installed there.

The command's life hangs on the input of its connection: when that ends, because we stopped, died, or the link dropped, the
command's process group is ended and the folder removed.  Where a link vanishes without a word, the other machine may not
notice for hours; there the time limit, which is kept on both sides, ends the command.  Without `setsid` over there the group is that of the
session, and what the command left in the background stays when it ends by itself.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

BEGIN = "ethosu-tui-begins"
"""What comes before this line was printed by the start of a shell (a `.bashrc` that greets), not by us."""
MAKE_FOLDER = 'umask 077 && mkdir -- "$1" "$1/work" && cat >"$1/run.sh"'
TAKE_FILE = (
    'umask 077; cat >"$1" || exit 1; chmod "$2" "$1" || exit 1; wc -c <"$1"; '
    'if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1"; fi'
)
CLEAN_UP = 'if [ -f "$1/run.sh" ]; then sh "$1/run.sh" end; fi; rm -rf -- "$1"'
LIST_FILES = (
    'cd -- "$1" || exit 1; shift; IFS=; for pattern in "$@"; do for file in $pattern; do '
    'if [ -f "$file" ]; then printf "%s/%s/\\0" "$(wc -c <"$file")" "$file"; fi; done; done'
)
"""Size, a slash, name, a slash and NUL for each file; the patterns are expanded and not otherwise looked into."""
GIVE_FILE = 'cd -- "$1" && exec cat <"$2"'

_RUN = """\
# Made by ethosu-tui for one run; it goes with this folder.
d={folder}
alive() {{ for one in $group; do kill -s 0 -- "$one" && return 0; done; return 1; }}
end() {{
  trap '' TERM
  group=
  mkdir "$d/stop" && first=yes || first=
  if read -r group <"$d/group"; then
    # Asked once: a command that cleans up would be cut short by a second SIGTERM.
    [ -z "$first" ] || kill -s TERM -- $group
    n=0
    while alive && [ "$n" -lt {tenths} ]; do
      if sleep 0.1; then n=$((n + 1)); else
        sleep 1
        n=$((n + 10))
      fi
    done
  fi
  cd /
  rm -rf -- "$d"
  [ -z "$group" ] || kill -s KILL -- $group
  rm -rf -- "$d"
}}
if [ "$1" = end ]; then
  end 2>/dev/null
  exit 0
fi
exec 3<&0 4>&2 </dev/null 2>&1
echo {begin}
trap : PIPE
say() {{ echo "{mark} $*" >&4; }}
cd -- {cwd} 4>&- || {{ say no-folder; exit 1; }}
set -- {argv}
command -v "$1" >/dev/null 2>&1 || {{ say absent; exit 127; }}
say started
if command -v setsid >/dev/null 2>&1; then
  inner='echo "-$$" >"$0/group" || exit 143; [ -e "$0/stop" ] && exit 143; exec "$@"'
  setsid sh -c "$inner" "$d" "$@" 3<&- 4>&- &
  rest=-$!
else
  trap : TERM
  "$@" 3<&- 4>&- &
  echo "-$$ $!" >"$d/group"
  rest=$!
fi
command=$!
exec >/dev/null 2>&1
(while read -r line; do :; done; end) <&3 >/dev/null 2>&1 3<&- 4>&- &
link=$!
clock=
{clock}wait "$command"
code=$?
[ -z "$clock" ] || kill -s KILL -- $clock 2>/dev/null
if [ -e "$d/stop" ] || [ ! -d "$d" ]; then exit 143; fi
kill -s KILL -- "$link" "$rest" 2>/dev/null
rm -f "$d/group"
say status "$code"
exit "$code"
"""
_CLOCK = """\
if command -v setsid >/dev/null 2>&1; then
  setsid sh -c 'sleep "$1"; exec sh "$0/run.sh" end' "$d" {seconds} >/dev/null 2>&1 3<&- 4>&- &
  clock="-$! $!"
else
  (n=0; while [ "$n" -lt {seconds} ]; do sleep 5; n=$((n + 5)); done; end) >/dev/null 2>&1 3<&- 4>&- &
  clock=$!
fi
"""


def remote(script: str, *words: str) -> str:
    """One line for any login shell that runs `script` with these words as its arguments, after a line `BEGIN`."""
    return f"exec sh -c {shlex.quote(f'echo {BEGIN}; {script}')} sh {shlex.join(words)}".rstrip()


def run_script(
    folder: str, cwd: str, argv: Sequence[str], mark: str, limit_seconds: float | None, grace_seconds: float
) -> str:
    """The script that runs the command; lines that begin with `mark` on its stderr tell how it goes."""
    clock = "" if limit_seconds is None else _CLOCK.format(seconds=max(1, round(limit_seconds)))
    return _RUN.format(
        begin=BEGIN,
        folder=shlex.quote(folder),
        cwd=shlex.quote(cwd),
        argv=shlex.join(argv),
        mark=mark,
        clock=clock,
        tenths=max(1, round(10 * grace_seconds)),
    )
