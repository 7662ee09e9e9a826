"""`NamedTuple` as of `typing`, made several times faster: every command makes some sixty of them before it reads a byte.

`typing` compiles each annotation to check it, which took a tenth of the start of `analyze`; mypy checks them anyway.
Modules that every command loads take theirs from here and do without `typing`, which takes as long again to load.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    _NOT_TAKEN_OVER = frozenset(("__module__", "__annotations__", "__slots__", "__dict__", "__weakref__"))

    class _Maker(type):
        """Turns a class body with annotations into a tuple with these fields."""

        def __new__(cls, name, _bases, body):
            fields = body.get("__annotations__", {})
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            made.__annotations__ = fields
            for key, value in body.items():
                if key not in fields and key not in _NOT_TAKEN_OVER:
                    setattr(made, key, value)
            return made

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})
