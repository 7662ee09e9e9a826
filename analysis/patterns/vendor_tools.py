"""Compilers and linkers of vendors beside GCC, Clang and armlink: IAR's for Cortex-M boards, Microsoft's for runners of a Windows host."""

from __future__ import annotations

from .table import Pattern as P

VENDOR_TOOLS: tuple[P, ...] = (
    P(
        "host_error",
        "rror[{code:name}]: {:rest}",
        ('Error[Li005]: no definition for "et_pal_init" [referenced from runner.o]', '"main.cpp",42  Error[Pe020]: identifier "foo" is undefined'),
        anywhere=True,
    ),
    P("host_error", "error LNK{:int}: {:rest}", ('runner.obj : error LNK2019: unresolved external symbol "void et_pal_init(void)"',
      "LINK : fatal error LNK1181: cannot open input file 'executorch.lib'"), anywhere=True),
    P("host_error", ": error C{:int}: {:rest}", ("runner.cpp(12): error C2065: 'foo': undeclared identifier",), anywhere=True),
    P("host_error", ": fatal error C{:int}: {:rest}", ("runner.cpp(3): fatal error C1083: Cannot open include file: 'a/b.h': No such file or directory",), anywhere=True),
)  # fmt: skip
