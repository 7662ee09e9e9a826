"""Classes with labels and scores, as applications list them: the best ones of an inference."""

from __future__ import annotations

from ..draft import RunDraft
from .results import passed
from .tensors import on_zephyr_element

MOST_PREDICTIONS = 100
"""Classes of a list that are kept."""


def from_the_first(draft: RunDraft) -> None:
    """Forget the list of predictions before, because another one follows."""
    for rank in range(len(draft.predictions)):
        draft.lines.pop(f"predictions.{rank}", None)
    draft.predictions.clear()


def add_prediction(draft: RunDraft, line: int, index: int | None, label: str | None, score: float | None) -> None:
    """Add the next class of a list: its index, label and score, each if printed."""
    if draft.of_row and draft.predictions:
        draft.predictions.pop()
    if len(draft.predictions) < MOST_PREDICTIONS:
        draft.predictions.append((index, label, score))
        draft.mark(f"predictions.{len(draft.predictions) - 1}", line)


def on_class_best(draft: RunDraft, line: int, index: int) -> None:
    """Printed without its score."""
    from_the_first(draft)
    add_prediction(draft, line, index, None, None)


def on_class_named(draft: RunDraft, line: int, index: int, label: str) -> None:
    """The best class once more, by name."""
    from_the_first(draft)
    add_prediction(draft, line, index, label, None)


def on_class_sure(draft: RunDraft, line: int, percent: int) -> None:
    """The score of the class above."""
    if draft.predictions:
        draft.predictions[-1] = (*draft.predictions[-1][:2], percent)


def on_tflm_seen(draft: RunDraft, line: int, label: str, score: float) -> None:
    """The only verdict of the interpreter under Linux; the inference runner told before how each inference ended."""
    add_prediction(draft, line, None, label, score)
    if "npu_asked" not in draft.seen and "npu_capable" in draft.seen:
        passed(draft)


def on_word_heard(draft: RunDraft, line: int, label: str, score: float) -> None:
    """TensorFlow's speech example listens for ever; hearing a word is its result, and a limit ends it as intended."""
    add_prediction(draft, line, None, label, score)
    passed(draft)


class Announced:
    """What a heading says of the lines below it."""

    predictions: int | None = None


def on_predictions_start(draft: RunDraft, line: int, count: int) -> None:
    from_the_first(draft)
    draft.state(Announced).predictions = count


def on_prediction(draft: RunDraft, line: int, rank: int, index: int, score: float) -> None:
    add_prediction(draft, line, index, None, score)


def on_label_score(draft: RunDraft, line: int, index: int, label: str, score: float) -> None:
    label_score(draft, line, index, label, score)
    on_zephyr_element(draft, line, index, score)  # where a header has told the tensor before


def label_score(draft: RunDraft, line: int, index: int, label: str, score: float) -> None:
    """A class of a list; the best one may have been printed before without its score, and is then among these."""
    if len(draft.predictions) == 1 and draft.predictions[0][2] is None:
        from_the_first(draft)
    add_prediction(draft, line, index, label, score)


def on_class_score(draft: RunDraft, line: int, index: int, label: str, score: float) -> None:
    label_score(draft, line, index, label, score)
    if draft.state(Announced).predictions == len(draft.predictions) and not draft.failed:
        draft.complete()  # the last thing that this example prints


def on_tflm_label(draft: RunDraft, line: int, label: str) -> None:
    """The name of a class, or of what was seen; its score follows."""
    add_prediction(draft, line, None, label, None)


on_tflm_person = on_tflm_label


def on_tflm_sure(draft: RunDraft, line: int, score: float) -> None:
    if draft.predictions and draft.predictions[-1][2] is None:
        draft.predictions[-1] = (*draft.predictions[-1][:2], score)


def on_tflm_class(draft: RunDraft, line: int, index: int, score: float) -> None:
    """A class by its index; its name, if there is one, stands in the line above."""
    if draft.last_event == "tflm_label" and draft.predictions:
        draft.predictions[-1] = (index, draft.predictions[-1][1], score)
    else:
        add_prediction(draft, line, index, None, score)


def on_mlek_label(draft: RunDraft, line: int, number: int, said: str) -> None:
    """A word with its score; without a score it is a piece of text, not a prediction."""
    if not number:
        from_the_first(draft)
    label, _, score = said.lstrip("; ").removeprefix("label: ").partition(", score: ")
    try:
        add_prediction(draft, line, None, label, float(score.partition(";")[0]))
    except ValueError:
        return


def on_mlek_score(draft: RunDraft, line: int, rank: int, label: str, score: float) -> None:
    """A class of the list below a time stamp."""
    add_prediction(draft, line, None, label, score)


def on_mlek_heard(draft: RunDraft, line: int, label: str, score: float) -> None:
    """What a live demonstration hears now."""
    from_the_first(draft)
    add_prediction(draft, line, None, label, score)


def on_mlek_result(draft: RunDraft, line: int, rank: int, index: int, score: float, label: str) -> None:
    if not rank:
        from_the_first(draft)
    label_score(draft, line, index, label, score)


on_mlek_class = on_mlek_result
