"""Source files that contain only kernels: an abort in one of them came while operators were computed."""

from __future__ import annotations

from ..cleaning import compiled

KERNEL_OF_OPERATOR = r"op_(\w{1,80})\.(?:cpp|h)"
_OTHERS = r"(?!(?:tensor|scalar_type|dim_order|runner|data_loader)_util|file_ops)"
"""Files that match the pattern but are used by the loader and by programs as well."""
_OF_KERNELS = (
    KERNEL_OF_OPERATOR
    + rf"|(?:cortex_m(?:_ns)?_ops_common|cmsis_scratch_buffer_context|embeddingxb|scalar_utils|{_OTHERS}\w{{1,60}}_(?:util|ops))\.(?:cpp|h)"
)


def of_kernel(file: str | None) -> bool:
    """True for a source file that contains only kernels."""
    return file is not None and compiled(_OF_KERNELS).fullmatch(file) is not None
