"""`ethosu-tui compile --fit ... --minimise ...`: the search for the configuration that fits, and the answers to a sweep."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ...analysis.design.answers import Answers
from ...analysis.design.limits import parse_limits
from ...analysis.design.objectives import OBJECTIVES
from ...analysis.design.tables import board_reasons, boards_table, candidates_table, front_table, verdict
from ...analysis.lines import clean
from ...analysis.named_tuple import TYPE_CHECKING
from ...analysis.tables import Table
from ...analysis.tables.text import render
from ...runners.compile.artefacts import BUNDLEIO, ETRECORD, wanted
from ...runners.compile.check import check_outputs
from ...runners.compile.compiler import CompileOptions, CompileResult
from ...runners.compile.fit import answers_of, search
from ...runners.compile.job import copy_whole
from ...runners.compile.points import CompilePoint
from ...runners.compile.vela_batch import destinations
from ...runners.job import JobError, UsageError
from ...runners.runs.folder import runs_root
from .output import columns, print_findings, print_tables, print_wrapped

if TYPE_CHECKING:
    from ...analysis.compiles.vela_ini import VelaIni
    from ...analysis.design.candidates import Memory

    CompileAll = Callable[[CompileOptions, Sequence[CompilePoint]], tuple[list[CompileResult], JobError | None]]

DEFAULT_OBJECTIVE = "cycles"
SIDE_BY_SIDE = 6
"""More configurations are rows of a table, not columns."""
_FEW = 3
"""From so many configurations on there is something to say about all of them."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of the search."""
    group = parser.add_argument_group(
        "which one to choose (tries arena limits and --optimise Size for each configuration)"
    )
    group.add_argument(
        "--fit",
        action="append",
        default=[],
        metavar="LIMITS",
        help="the best that fits, e.g. sram=512KiB,flash=2MiB (also dram; in Sram_Only the SRAM includes the weights)",
    )
    group.add_argument(
        "--minimise",
        choices=tuple(OBJECTIVES),
        help=f"what to minimise (default: {DEFAULT_OBJECTIVE}; time instead of cycles if clocks differ)",
    )


class Search:
    """What was asked for on the command line, checked.

    Raises:
        UsageError: a limit is none, or another option makes a search of no use.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        try:
            self._limits: dict[Memory, int] = parse_limits(options.fit)
        except ValueError as error:
            raise UsageError(f"--fit: {error}", "see `ethosu-tui compile --help`") from None
        self._minimise: str = options.minimise or DEFAULT_OBJECTIVE
        self._ini: VelaIni | None = None
        self.wanted = bool(options.fit or options.minimise)
        """Whether there is anything to search for."""
        if not self.wanted:
            return
        for option, given in (
            ("--arena-cache-size", options.arena_cache_size),
            ("--optimise", options.optimise),
            ("--no-delegate", options.no_delegate),
            ("--keep-intermediates", options.keep_intermediates),
            ("--bundleio", options.bundleio or wanted(options.aot_arg, BUNDLEIO)),  # each try would go the whole way
            ("--etrecord", options.etrecord or wanted(options.aot_arg, ETRECORD)),
            ("--no-cache", options.no_cache),  # the rounds of a search find the first compile there
        ):
            if given:
                raise UsageError(
                    f"{option} cannot be combined with a search for the best configuration",
                    f"leave {option} out, or --fit and --minimise; compile the chosen configuration afterwards",
                )

    def run(
        self, request: CompileOptions, bases: Sequence[CompilePoint], compile_all: CompileAll
    ) -> tuple[list[CompileResult], JobError | None]:
        """Compile until the best configuration is found, and put that one where the user wants it; or all, without a search."""
        self._ini = request.vela_config.ini if request.vela_config is not None else None
        if not self.wanted:
            return compile_all(request, bases)
        outputs = [destinations(request, [base])[0] for base in bases]
        check_outputs(runs_root(), outputs)  # what is wrong with the output is said now
        problem: JobError | None = None

        def evaluate(points: Sequence[CompilePoint]) -> list[CompileResult]:
            nonlocal problem
            results, problem = compile_all(replace(request, output=None), points)
            return results

        results = search(bases, self._limits, self._minimise, evaluate, self._ini)
        chosen = self._chosen(results)
        if chosen is not None and request.output is not None:
            place = results.index(chosen)
            try:
                results[place] = _delivered(chosen, destinations(request, [chosen.point])[0])
            except JobError as error:  # what was found is still of use
                problem = problem or error
        return results, problem

    def answers(self, results: Sequence[CompileResult]) -> Answers:
        """What there is to say about these results."""
        return answers_of(results, self._limits if self.wanted else None, self._minimise, self._ini)

    def counted(self, answers: Answers, results: Sequence[CompileResult]) -> Sequence[CompileResult]:
        """The results whose errors are the command's: of a search that found one, only that one."""
        fit = answers.fit
        return [results[fit.place]] if fit is not None and fit.place is not None else results

    def missed(self, answers: Answers) -> int:
        """The exit code of a search that found nothing; else 0."""
        return int(answers.fit is not None and answers.fit.place is None)

    def _chosen(self, results: Sequence[CompileResult]) -> CompileResult | None:
        fit = self.answers(results).fit
        return results[fit.place] if fit is not None and fit.place is not None else None


def _delivered(result: CompileResult, destination: Path | None) -> CompileResult:
    """The result with its program where the user wants it.

    Raises:
        JobError: it cannot be written there.
    """
    made = result.pte or result.artefact
    if destination is None or made is None:
        return result
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        copy_whole(Path(made), destination, secrets.token_hex(4))
    except OSError as error:
        raise JobError(f"cannot write {destination} ({error.strerror or error})", f"the program is {made}") from error
    if result.pte is None:
        return replace(result, artefact=str(destination))
    return replace(result, pte=str(destination))


def fitted(table: Table, room: int | None) -> Table:
    """Where it is wider than the terminal, with the target that all rows share in the title: what tells them apart is not cut then."""
    shared = {row[0].text.partition(" ")[0] for row in table.rows}
    if room is None or len(shared) != 1 or len(render(table).splitlines()[2]) <= room:
        return table
    rows = tuple((row[0]._replace(text=row[0].text.partition(" ")[2] or "default"), *row[1:]) for row in table.rows)
    return table._replace(title=f"{table.title}, {shared.pop()}", rows=rows)


def print_answers(answers: Answers, results: Sequence[CompileResult]) -> None:
    """The answers for people; nothing where one or two configurations speak for themselves."""
    fit = answers.fit
    if fit is None and len(answers.candidates) < _FEW:
        return
    boards = boards_table(answers)
    if fit is not None:
        print_tables([fitted(candidates_table(answers), columns())])
    elif len(answers.candidates) <= SIDE_BY_SIDE:
        print_tables([front_table(answers)])
    print_tables([boards])
    if boards.rows:
        for reason in board_reasons(answers):
            print_wrapped(reason, "")
        print()
    if fit is not None:
        print_wrapped(verdict(answers), "")
        if fit.place is not None:
            chosen = results[fit.place]
            print(clean(chosen.pte or chosen.artefact or chosen.log))
            print_findings(chosen.findings)
