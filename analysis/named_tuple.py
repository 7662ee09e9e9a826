"""`NamedTuple` as of `typing`, made some ten times faster: every command makes some seventy of them before it reads a byte.

`typing` compiles each annotation to check it, which took a tenth of the start of `analyze`; mypy checks them anyway.
`collections` compiles each constructor, which took half as much again, and most are called once or never: here that is done
for those that go on being called.  Modules that every command loads take theirs from here and do without `typing`, which
takes as long again to load.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    import sys
    from collections import namedtuple

    try:
        from _collections import _tuplegetter as _field
    except ImportError:  # another Python than CPython
        from operator import itemgetter

        def _field(index, doc):
            return property(itemgetter(index), doc=doc)

    _UNEXPECTED = TypeError if sys.version_info >= (3, 13) else ValueError
    """What `collections` raises for a field that the tuple does not have."""

    _called = {}
    _NOT_TAKEN_OVER = frozenset(("__module__", "__annotations__", "__slots__", "__dict__", "__weakref__"))

    class _Maker(type):
        """Turns a class body with annotations into a tuple with these fields."""

        def __new__(cls, name, _bases, body):
            fields = body.get("__annotations__", {})
            made = {
                **_SHARED,
                "_fields": (names := tuple(fields)),
                "_field_defaults": {field: body[field] for field in names if field in body},
                "__annotations__": fields,
                "__match_args__": names,
            }
            for index, field in enumerate(names):
                made[field] = _field(index, "")
            for key, value in body.items():
                if key not in fields and key not in _NOT_TAKEN_OVER:
                    made[key] = value
            made["__module__"] = body["__module__"]
            return type(name, (tuple,), made)

    _CALLS = 8
    """Objects that a class has before its constructor is compiled."""

    def _constructed(cls, *given, **named):
        """One of the first objects of a class, made by hand; what cannot be made is for the compiled constructor to refuse."""
        made = next(base for base in cls.__mro__ if "_fields" in base.__dict__)
        names, defaults = made._fields, made._field_defaults
        calls = _called[made] = _called.get(made, 0) + 1
        if calls <= _CALLS:
            values = {**defaults, **dict(zip(names, given, strict=False)), **named}
            if len(given) <= len(names) == len(values) and named.keys().isdisjoint(names[: len(given)]):
                return tuple.__new__(cls, map(values.__getitem__, names))
        like = namedtuple(made.__name__, names, defaults=defaults.values())
        made.__new__ = staticmethod(like.__new__)
        return like.__new__(cls, *given, **named)

    def _make(cls, values):
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _replace(self, /, **changed):
        made = self._make(map(changed.pop, self._fields, self))
        if changed:
            raise _UNEXPECTED(f"Got unexpected field names: {list(changed)!r}")
        return made

    def _represented(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in zip(self._fields, self, strict=True))})"

    _SHARED = {
        "__slots__": (),
        "__new__": _constructed,
        "__repr__": _represented,
        "__getnewargs__": lambda self: tuple(self),
        "_make": classmethod(_make),
        "_replace": _replace,
        "__replace__": _replace,
        "_asdict": lambda self: dict(zip(self._fields, self, strict=True)),
    }

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})
