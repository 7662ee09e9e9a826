"""How the error messages begin that have no row of their own: what a log without prefixes must still be seen to say.

With a prefix, the level says that a line is an error, and the line is kept word for word.  Ports that print no prefix
leave only the words: those of the core runtime, the runners and the Ethos-U backend, from 0.1 to main.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

from ..cleaning import compiled
from .table import ZEROS

BEGINNINGS: tuple[str, ...] = tuple(
    """\
!!DEPRECATED!! This branch is deprecated from ExecuTorch 0.7
--dump_vgf_inputs_and_exit requires --vgf_input_dump_dir to
--output_file must be set in --server_mode so outputs can be
--server_mode requires true or false
======== Kernels already in the registry: ========
======== Kernels being registered: ========
Aborting. Operator name
Address space overflow in allocator
Allocation size overflow: size
ArmBackend::execute: currently only support one return tenso
ArmBackend::init: Binary needs to be 16 byte unaligned
ArmBackend::init: Binary passed is not a vela_bin_stream
ArmBackend::init: Binary passed missing vela_end_stream
ArmBackend::init: Expected program binary to be in SRAM
ArmBackend::init: Footer expected to be 16 byte aligned
ArmBackend::init: Program expected to be multiple of 16 byte
ArmBackend::init: program binary range
Attribute tensor not at the expected location. The .pte is l
Base address is null but size=
Buffer retrieved from get_data is not valid
Cannot execute until method has been initialized.
Cannot reset until EndOfMethod has been reached.
Cannot retrieve external tensor with fqn:
Constant buffer
Constant segment buffer index
Constant segment index
Constant segment offset
Could not allocate memory etdump base64 encoding size
Could not allocate memory for input buffer
Could not allocate memory for input evalues.
Could not allocate memory for pointers to input buffers.
Could not load contents of file '
Could not open etdump debug buffer file
Could not open etdump file
Could not open file '
Could not open output file
DELEGATE_CALL index
DEiT-Tiny has a single input tensor, but the provided model
DelegateCall args missing
ERROR - 
ETDump: Could not allocate memory for output buffer size
ETDump: Could not set_debug_buffer() for output buffer size
Enum KernelTypes type:
Error copying tensor data at input
Error resizing tensor at input
Error setting data_ptr
Error setting dim_order
Error setting input
Error sharing tensor data at input
Ethos-U Linux backend missing platform state
Ethos-U backend missing output metadata
Ethos-U backend registration failed; model execution cannot
Ethos-U output
Ethos-U padded copy received null buffer
Ethos-U padded copy received null destination
Execution plan
Expected dtype of
Expected float input tensor, got dtype
Expected float mask logits, got dtype
Expected mask logits with shape [1, 1, height, width], got r
Expected program to have at least one chain received
Extended header may be corrupt
Failed parsing optional tensor list at index
Failed parsing tensor at index
Failed parsing tensor list at index
Failed to allocate
Failed to get compile specs for backend
Failed to get device for planned buffer
Failed to get named data map from program: 0x
Failed to get planned buffer size for buffer
Failed to make kernel key string
Failed to open ETDump file at
Failed to open input file:
Failed to open output file:
Failed to read input file size:
Failed to read input file:
Failed to save ETDump file.
Failed to write whole output file
File size is too small. Expected file size from extended hea
FreeCall target at index
Fully qualified name of external tensor is null at index
Get inputs failed
Given input index must be less than the number of inputs in
Input can not be set until method has been initialized.
Input tensor datatype is not float. The image data we want t
Input tensor expects
Input tensor sizes do not match
Inputs can not be retrieved until method has been initialize
Inputs can not be set mid execution.
Inputs can not be set until method has been initialized.
Instruction execution limit (
Instruction is not supported.
Internal error: method_meta(
Invalid --server_mode value:
Invalid instruction type
Invalid number of inputs provided. Expected
Invalid value index
Kernel registration failed with error
KernelCall args missing
Method already initialized, or previously failed to initiali
Method execution is in progress
Mismatch between input metadata (
Mismatch between input metadata and runtime pointers (
Mismatch between output metadata (
Mismatch between output metadata and runtime buffers (
Missing backend id
Missing container_meta_type in execution plan
Missing delegates field
Missing encoded_out_str in container_meta_type
Missing input buffer for index
Missing inputs field
Missing instructions in chain
Missing list at index
Missing name field
Missing non_const_buffer_sizes field
Missing operator name
Missing output buffer for index
Missing outputs field
Missing required -o output_basename
Missing string at index
Missing values
MobileSAM fixed-prompt export expects one mask channel, got
Model data is not initialized
Model has multiple tensor inputs; this sample supports only
NamedDataMap merge not supported; both pte_data_map and name
No ETDump data available!
No ETDump output buffers saved in the data area
No matching input copy routine
No method named '
No mutable data segments in program
No offsets in mutable data segment
No segments in program
No tensor output found.
Not right number of parameters!
Null instruction at index
Null value at index
Only batch size 1 is supported.
Output is not a tensor
Outputs can not be retrieved until method has been initializ
Overriding output data pointer allocated by memory plan is n
PTE file relies on the constant_buffer path, which is disabl
Permute compile flag and permuted input don't agree
Permute compile flag and permuted input/output don't agree
Problem getting the size of the base64 ETDump output buffers
Problem running model
Program data 0x
Program data size
Program expects
Program has no methods
Program validation failed: likely a corrupt file
Re-registering
Requested nbytes
Root table offset
String encoding error occured.
Tensor data is null
The given array is not large enough to hold all inputs.
The given array is not large enough to hold all outputs.
The input tensor's scalartype does not meet requirement: fou
The length of given input array (
The segmentation model has a single input tensor, but the pr
The total number of kernels to be registered is larger than
Total output tensor sizes do not match
Unhandled ScalarType
Unknown --print_output mode '
Unknown KernelTypes value
Unknown data location
Unknown instruction:
Unsupported EValue was passed in for JF instruction
Unsupported JF EValue type
Unsupported input type:
Unsupported output scalar type:
Verification failed; data may be truncated or corrupt
Wrong number of inputs allocated compared to method
[ET] ERROR: 
[ET] et_pal_allocate(
aligned_data_ptr
allocate() on zero-capacity allocator
app -m model.pte -i input.bin [-i input2.bin] -o output_base
app -o output_basename -i input.bin [-i input2.bin]
base64 encoding debug_buffer failed:
base64 encoding etdump failed:
constant_buffer contains
constant_buffer path is disabled (ET_ENABLE_DEPRECATED_CONST
dest chunk size
external_data_map is null
getTensorDataPtr() failed:
get_inputs failed
invalid buffer index
mutable_data_segments_index
named_data_map is null
segment base+offset
segment_base_offset
snprintf failed:
""".splitlines()
)
"""Sorted; none is the beginning of another."""
_INSIDE = " expected Integer (4 byte)"
_OF_INPUT = (
    " has unexpected scalar type: expected ",
    " was expected to have type ",
    "-th input tensor's scalartype does not meet requirement",
)
"""What is said of the input with some number."""
_NUMBERED = r"(?:The |(?:[Ii]nput|[Tt]ensor) )(?:tensor )?\d{1,4}(?:-th|[ :])"
"""How a message about it begins: the words alone may be anyone's."""


def is_error(message: str) -> bool:
    """True where the message begins as one of the known errors does."""
    at = bisect_right(BEGINNINGS, message)
    if (at > 0 and message.startswith(BEGINNINGS[at - 1])) or _INSIDE in message:
        return True
    return any(words in message for words in _OF_INPUT) and compiled(_NUMBERED).match(message) is not None


def may_be_error(message: str) -> bool:
    """True where the message would be an error with some other digits in the places of its own."""
    plain = message.translate(ZEROS)
    return any(words.translate(ZEROS) in plain for words in (_INSIDE, *_OF_INPUT)) or plain.startswith(_with_zeros())


@cache
def _with_zeros() -> tuple[str, ...]:
    return tuple(text.translate(ZEROS) for text in BEGINNINGS)
