"""Small TensorFlow Lite models, written with the FlatBuffers classes that Vela brings: there is no converter here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ADD, SIN = 0, 66
"""Built-in operators: every NPU adds, none has a sine."""
_ADD_OPTIONS = 11


def model(*, quantised: bool = True, sine: bool = False) -> bytes:
    """x + x on an 8x8x8x1 tensor, and the sine of it; int8 or float."""
    import flatbuffers
    from ethosu.vela.tflite import AddOptions, Buffer, Model, Operator, OperatorCode, QuantizationParameters, SubGraph
    from ethosu.vela.tflite import Tensor as Tensor_
    from ethosu.vela.tflite.TensorType import TensorType

    builder = flatbuffers.Builder(1024)

    def vector(start: Callable[[Any, int], Any], items: list[int], put: Callable[[int], Any]) -> Any:
        start(builder, len(items))
        for item in reversed(items):
            put(item)
        return builder.EndVector()

    def integers(start: Callable[[Any, int], Any], items: list[int]) -> Any:
        return vector(start, items, builder.PrependInt32)

    def tables(start: Callable[[Any, int], Any], items: list[int]) -> Any:
        return vector(start, items, builder.PrependUOffsetTRelative)

    def tensor(name: Any) -> Any:
        quantisation = None
        if quantised:
            QuantizationParameters.QuantizationParametersStartScaleVector(builder, 1)
            builder.PrependFloat32(0.5)
            scale = builder.EndVector()
            QuantizationParameters.QuantizationParametersStartZeroPointVector(builder, 1)
            builder.PrependInt64(0)
            zero = builder.EndVector()
            QuantizationParameters.QuantizationParametersStart(builder)
            QuantizationParameters.QuantizationParametersAddScale(builder, scale)
            QuantizationParameters.QuantizationParametersAddZeroPoint(builder, zero)
            quantisation = QuantizationParameters.QuantizationParametersEnd(builder)
        shape = integers(Tensor_.TensorStartShapeVector, [1, 8, 8, 8])
        Tensor_.TensorStart(builder)
        Tensor_.TensorAddShape(builder, shape)
        Tensor_.TensorAddType(builder, TensorType.INT8 if quantised else TensorType.FLOAT32)
        Tensor_.TensorAddBuffer(builder, 0)
        Tensor_.TensorAddName(builder, name)
        if quantisation is not None:
            Tensor_.TensorAddQuantization(builder, quantisation)
        return Tensor_.TensorEnd(builder)

    names = ["input", "sum", *(["wave"] if sine else [])]
    tensors = [tensor(name) for name in [builder.CreateString(name) for name in names]]
    AddOptions.AddOptionsStart(builder)
    options = AddOptions.AddOptionsEnd(builder)
    operators, codes = [], []
    for index, (code, inputs) in enumerate([(ADD, [0, 0]), (SIN, [1])][: len(names) - 1]):
        taken = integers(Operator.OperatorStartInputsVector, inputs)
        given = integers(Operator.OperatorStartOutputsVector, [index + 1])
        Operator.OperatorStart(builder)
        Operator.OperatorAddOpcodeIndex(builder, index)
        Operator.OperatorAddInputs(builder, taken)
        Operator.OperatorAddOutputs(builder, given)
        if code == ADD:
            Operator.OperatorAddBuiltinOptionsType(builder, _ADD_OPTIONS)
            Operator.OperatorAddBuiltinOptions(builder, options)
        operators.append(Operator.OperatorEnd(builder))
        OperatorCode.OperatorCodeStart(builder)
        OperatorCode.OperatorCodeAddDeprecatedBuiltinCode(builder, code)
        OperatorCode.OperatorCodeAddBuiltinCode(builder, code)
        OperatorCode.OperatorCodeAddVersion(builder, 1)
        codes.append(OperatorCode.OperatorCodeEnd(builder))
    all_tensors = tables(SubGraph.SubGraphStartTensorsVector, tensors)
    first = integers(SubGraph.SubGraphStartInputsVector, [0])
    last = integers(SubGraph.SubGraphStartOutputsVector, [len(tensors) - 1])
    all_operators = tables(SubGraph.SubGraphStartOperatorsVector, operators)
    SubGraph.SubGraphStart(builder)
    SubGraph.SubGraphAddTensors(builder, all_tensors)
    SubGraph.SubGraphAddInputs(builder, first)
    SubGraph.SubGraphAddOutputs(builder, last)
    SubGraph.SubGraphAddOperators(builder, all_operators)
    graph = SubGraph.SubGraphEnd(builder)
    Buffer.BufferStart(builder)
    buffer = Buffer.BufferEnd(builder)
    all_codes = tables(Model.ModelStartOperatorCodesVector, codes)
    graphs = tables(Model.ModelStartSubgraphsVector, [graph])
    buffers = tables(Model.ModelStartBuffersVector, [buffer])
    Model.ModelStart(builder)
    Model.ModelAddVersion(builder, 3)
    Model.ModelAddOperatorCodes(builder, all_codes)
    Model.ModelAddSubgraphs(builder, graphs)
    Model.ModelAddBuffers(builder, buffers)
    builder.Finish(Model.ModelEnd(builder), b"TFL3")
    return bytes(builder.Output())
