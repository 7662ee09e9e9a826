"""The user's editor and pager: which they are, how each is told a line, and what they must not do with a log.

A log is text of others: editors that obey settings found in a text (modelines, file variables) are told not to.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence

from .job import MissingTool

_PLUS = ("vi", "vim", "nvim", "view", "gvim", "vim.tiny", "vim.basic", "nvi", "elvis", "nano", "rnano", "pico", "emacs", "emacsclient",
         "mg", "jed", "joe", "jmacs", "ne", "kak", "mcedit", "micro", "ee", "zile", "vis", "less", "more")  # fmt: skip
_GOTO = ("code", "code-insiders", "codium", "cursor", "windsurf")
_COLON = ("subl", "sublime_text", "hx", "helix", "zed", "lite-xl")
_VIM = ("vim", "nvim", "gvim", "vim.tiny", "vim.basic", "view")
Find = Callable[[str], str | None]


def editor_argv(path: str, line: int | None, environment: Mapping[str, str], find: Find = shutil.which) -> list[str]:
    """The command that opens this file, at this line (from 1) in editors that can; a relative path is made absolute.

    Raises:
        MissingTool: no editor is named or there, or the one that is named is not.
    """
    argv = _command(environment, ("VISUAL", "EDITOR"), ("editor", "vi", "nano", "emacs"), "an editor", find)
    name = os.path.basename(os.path.realpath(find(argv[0]) or argv[0]) if argv[0] == "editor" else argv[0])
    real = os.path.basename(os.path.realpath(find(argv[0]) or argv[0]))
    path = os.path.abspath(path)  # so that none begins with a sign of an option
    if name in _VIM or real in _VIM:
        argv += ["--cmd", "set nomodeline"]
    elif name == "emacs" or real.startswith("emacs-"):
        argv += ["--eval", "(setq enable-local-variables nil enable-local-eval nil)"]
    if line is None:
        return [*argv, path]
    if name in _GOTO:
        return [*argv, "-g", f"{path}:{line}"]
    if name in _COLON:
        return [*argv, f"{path}:{line}"]
    if name in _PLUS or real in _PLUS or real.startswith("emacs-"):
        return [*argv, f"+{line}", path]
    return [*argv, path]


def pager_argv(environment: Mapping[str, str], find: Find = shutil.which) -> list[str]:
    """The command that shows what is given to its standard input.

    Raises:
        MissingTool: no pager is named or there, or the one that is named is not.
    """
    argv = _command(environment, ("PAGER",), ("less", "more"), "a pager", find)
    return [*argv, "-+F"] if os.path.basename(argv[0]) == "less" else argv  # what fits a screen stays in sight, too


def _command(
    environment: Mapping[str, str], variables: Sequence[str], usual: Sequence[str], what: str, find: Find
) -> list[str]:
    for variable in variables:
        said = environment.get(variable, "").strip()
        if not said:
            continue
        try:
            argv = shlex.split(said)
        except ValueError as error:
            raise MissingTool(f"${variable} cannot be read ({error}): {said}", "write it as in a shell") from None
        if not argv or find(argv[0]) is None:
            raise MissingTool(f"${variable} names {argv[0] if argv else said}, which is not there", "name another one")
        return argv
    for name in usual:
        if find(name) is not None:
            return [name]
    raise MissingTool(f"there is no {what.split()[-1]} here", f"install {usual[1]}, or name {what} in ${variables[-1]}")
