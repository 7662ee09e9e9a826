"""The tables of ExecuTorch's program.fbs (0.2 to 1.5, where later releases only add fields), for laying them out anew."""

from __future__ import annotations

from ..flat.relaid import Child, Children, Scalar, Schema, Text, Union, Vector

_BYTE, _INT, _LONG = Scalar(1), Scalar(4), Scalar(8)

PROGRAM: Schema = {
    "ContainerMetadata": (Text(), Text()),
    "Null": (),
    "AllocationDetails": (_INT, _INT, _INT),
    "ExtraTensorInfo": (_LONG, Text(), _BYTE, _BYTE, _BYTE),
    "Tensor": (
        _BYTE, _INT, Vector(4), Vector(1), _BYTE, _INT, Child("AllocationDetails"), _BYTE, _BYTE, Child("ExtraTensorInfo"),
    ),
    "Int": (_LONG,),
    "Bool": (_BYTE,),
    "Double": (_LONG,),
    "String": (Text(),),
    "IntList": (Vector(8),),
    "DoubleList": (Vector(8),),
    "BoolList": (Vector(1),),
    "TensorList": (Vector(4),),
    "OptionalTensorList": (Vector(4),),
    "EValue": (
        _BYTE,
        Union(
            {
                1: "Null", 2: "Int", 3: "Bool", 4: "Double", 5: "Tensor", 6: "String", 7: "IntList", 8: "DoubleList",
                9: "BoolList", 10: "TensorList", 11: "OptionalTensorList",
            }
        ),
    ),
    "Operator": (Text(), Text()),
    "KernelCall": (_INT, Vector(4)),
    "DelegateCall": (_INT, Vector(4)),
    "MoveCall": (_INT, _INT),
    "JumpFalseCall": (_INT, _INT),
    "FreeCall": (_INT,),
    "Instruction": (
        _BYTE, Union({1: "KernelCall", 2: "DelegateCall", 3: "MoveCall", 4: "JumpFalseCall", 5: "FreeCall"}),
    ),
    "Frame": (Text(), _INT, Text(), Text()),
    "FrameList": (Children("Frame"),),
    "BackendDelegateDataReference": (_BYTE, _INT),
    "CompileSpec": (Text(), Vector(1)),
    "BackendDelegate": (Text(), Child("BackendDelegateDataReference"), Children("CompileSpec")),
    "Chain": (Vector(4), Vector(4), Children("Instruction"), Children("FrameList")),
    "NonConstBufferDevice": (_INT, _BYTE, _BYTE),
    "ExecutionPlan": (
        Text(), Child("ContainerMetadata"), Children("EValue"), Vector(4), Vector(4), Children("Chain"),
        Children("Operator"), Children("BackendDelegate"), Vector(8), Children("NonConstBufferDevice"),
    ),
    "Buffer": (Vector(1, 16),),
    "BackendDelegateInlineData": (Vector(1, 16),),
    "DataSegment": (_LONG, _LONG),
    "SubsegmentOffsets": (_INT, Vector(8)),
    "NamedData": (Text(), _INT),
    "Program": (
        _INT, Children("ExecutionPlan"), Children("Buffer"), Children("BackendDelegateInlineData"),
        Children("DataSegment"), Child("SubsegmentOffsets"), Children("SubsegmentOffsets"), Children("NamedData"),
    ),
}  # fmt: skip
