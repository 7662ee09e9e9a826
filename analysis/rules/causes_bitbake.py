"""What BitBake says where an image for a board with an Ethos-U cannot be built: sources, recipes, and the task that failed."""

from __future__ import annotations

from .causes import Failure

BITBAKE_FAILURES: tuple[Failure, ...] = (
    Failure(
        "bitbake-fetch",
        r"(?:Fetcher failure(?: for URL)?|Bitbake Fetcher Error|Fetcher Error): (?P<why>[^\n]{1,200})",
        "BitBake could not fetch the sources: {why}",
        "Check the network and https_proxy. A revision or branch that upstream no longer has needs SRCREV and branch= in a .bbappend that name ones that exist, or "
        "a newer release of the layer.",
        (
            "ERROR: a-1.0-r0 do_fetch: Fetcher failure: Unable to find revision 1234abcd in branch main even from upstream",
            "ERROR: a-1.0-r0 do_fetch: Fetcher failure for URL: 'https://example.org/a.tar.gz'. Unable to fetch URL from any source.",
            "ERROR: a-1.0-r0 do_fetch: Bitbake Fetcher Error: FetchError('Unable to fetch URL from any source.', 'git://example.org/a.git;branch=main')",
        ),
    ),
    Failure(
        "bitbake-provider",
        r"Nothing R?PROVIDES '(?P<what>[^'\n]{1,120})'.{0,600}\bwas skipped: (?P<why>[^\n]{1,160})",
        "BitBake left the recipe of {what} out: {why}",
        "Where it is not for this machine or distribution, build for one that it is for (MACHINE, DISTRO in conf/local.conf) or take {what} out of what needs "
        "it (IMAGE_INSTALL, DEPENDS). A COMPATIBLE_MACHINE or a licence flag is changed in a .bbappend or in conf/local.conf.",
        (
            "ERROR: Nothing PROVIDES 'a-firmware' (but /w/b.bb DEPENDS on or otherwise requires it)\n"
            "a-firmware was skipped: incompatible with machine b (not in COMPATIBLE_MACHINE)",
            "ERROR: Nothing RPROVIDES 'a-dev'\na RPROVIDES a-dev but was skipped: missing required machine feature 'npu' (not in MACHINE_FEATURES)",
        ),
    ),
    Failure(
        "bitbake-provider",
        r"Nothing R?PROVIDES '(?P<what>[^'\n]{1,120})'",
        "No recipe of the build's layers provides {what}",
        "Add the layer that has it to conf/bblayers.conf (bitbake-layers add-layer PATH; bitbake-layers show-recipes lists what there is), in its branch for "
        "this Yocto release, and check how the name is spelled.",
        (
            "ERROR: Nothing PROVIDES 'ethos-u-driver-stack' (but /w/a.bb DEPENDS on or otherwise requires it)",
            "ERROR: Nothing RPROVIDES 'executorch' (but /w/a.bb RDEPENDS on or otherwise requires it)",
        ),
    ),
    Failure(
        "bitbake-provider",
        r"Required build target '(?P<what>[^'\n]{1,120})' has no buildable providers",
        "BitBake cannot build {what}: something that it needs has no recipe",
        "Look above for the last name of the chain (Nothing PROVIDES ...): that one is missing.",
        ("ERROR: Required build target 'a-image' has no buildable providers.",),
        1,
    ),
    Failure(
        "bitbake-task",
        r"ERROR: Task \((?:[^\n()]{0,300}/)?(?P<recipe>[^\n()/]{1,120}\.bb):(?P<task>do_\w{1,40})\) failed with exit code",
        "BitBake's task {task} of {recipe} failed",
        "Read the first error in its log, whose path stands in the line \"Logfile of failure stored in:\". Where sources or options have changed since, "
        "run bitbake -c cleansstate RECIPE once.",
        ("ERROR: Task (/w/meta-a/recipes/a_1.0.bb:do_compile) failed with exit code '1'",),
        1,
    ),
    Failure(
        "build-failed",
        r"\boe_runmake failed|Logfile of failure stored in: |"
        r"\bdo_\w{1,40}: (?:ExecutionError\(|Function failed: )",
        "A task of BitBake failed",
        "Read the first error above it, or in the log that the line \"Logfile of failure stored in:\" names.",
        (
            "ERROR: oe_runmake failed",
            "ERROR: Logfile of failure stored in: /w/tmp/work/a/temp/log.do_compile.51",
            "ERROR: a-1.0-r0 do_compile: ExecutionError('/w/temp/run.do_compile.51', 1, None, None)",
        ),
        2,
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`."""
