"""The key that does something, as it is on this screen now: a keymap file may have put it on another.

Texts that name a key ask here, so that they never name one that does something else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App
    from textual.dom import DOMNode

_NAMED = re.compile(r"\{([^{}]+)\}")


def key_of(node: DOMNode, action: str) -> str:
    """The first key that does this at `node` or around it, as the key line writes it; the action's name where none does."""
    app: App[Any] = node.app
    keymap = app._keymap
    for one in node.ancestors_with_self:
        for bindings in one._bindings.key_to_bindings.values():
            for binding in bindings:
                if binding.action != action:
                    continue
                if binding.id is not None and binding.id in keymap:
                    binding = binding.with_key(keymap[binding.id].split(",")[0], None)
                return app.get_key_display(binding)
    return action


def with_keys(node: DOMNode, text: str) -> str:
    """The text with the key in place of each action in braces: `{compare} compares them`."""
    return _NAMED.sub(lambda found: key_of(node, found[1]), text)
