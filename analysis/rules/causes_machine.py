"""What stops a build outside of its own work: crashes of compiles, torn downloads, apt, and images of containers."""

from __future__ import annotations

from .causes import Failure

CRASHED_ALONE = Failure(
    "program-crashed",
    r"\A(?:[^\n:]{1,200}: line \d{1,6}: +\d{1,9} )?(?P<how>[A-Z][\w/ ]{2,30}) \(core dumped\)\s*\Z",
    "A program crashed: {how}",
    "Start it again with python -X faulthandler if it is Python, otherwise under gdb --args (run, then bt), to see where it crashes; most often it is what "
    "was started last above that line. Mixed releases of torch, executorch and ethos-u-vela cause this (create a fresh environment of one release); an "
    "illegal instruction means that this processor, or the one that a virtual machine exposes (-cpu host), is too old for a package.",
    ("Segmentation fault (core dumped)", "Illegal instruction (core dumped)"),
    3,
)
"""A shell's words without a command: which program it was is not known."""

OUT_OF_TIME = Failure(
    "time-limit",
    r"\A(?:ERROR: Job failed: execution took longer than|(?:##\[error\]|Error: |X )?The (?:job|action) [^\n]{1,200}? "
    r"(?:has exceeded the maximum execution time of|ran longer than the maximum time of|has timed out after)) (?P<limit>[\dhms]{1,20}(?: minutes)?)",
    "The CI job's time limit stopped it: {limit}",
    "Give the job more time (GitHub: timeout-minutes, GitLab: timeout), cache what it builds and downloads between jobs (ccache, pip's cache, an image with "
    "the set-up done), and look above it for the step that hung.",
    (
        "ERROR: Job failed: execution took longer than 1h0m0s seconds",
        "##[error]The job running on runner GitHub Actions 3 has exceeded the maximum execution time of 360 minutes.",
    ),
    1,
)
"""Of a job alone that builds or compiles: any other has such limits too."""
TIMED_OUT = Failure(
    "time-limit",
    r"(?i:code|status|exit|rc):?[ =]?124\b",
    "The timeout command stopped it (status 124)",
    "Give timeout more seconds (compiling a large model takes minutes, longer where jobs share a machine), and look above it for the step that hung.",
    ("##[error]Process completed with exit code 124.", "exit code 124", "rc=124"),
    1,
)
"""Of what was started with timeout in the same way."""

_OF_PYTHON = r"(?P<program>\S{0,80}python[\d.]{0,6}(?: -m [\w.]{1,80})?|\S{0,80}vela)\b"
"""A program of Python's, as a shell names what crashed."""
_MEMORY = (
    "Give it more memory (swap: fallocate -l 8G /swapfile; mkswap /swapfile; swapon /swapfile; raise Docker Desktop's or WSL's own limit), and build with "
    "fewer jobs: CMAKE_BUILD_PARALLEL_LEVEL=1 and MAX_JOBS=1."
)
_TORN = "Remove the file and download it again; look inside it (head FILE): a proxy, a login page or a moved address returns a web page instead of the file."

WITH_LINKS = (
    "Switch on the developer mode (Settings, For developers) or work as administrator, then git config --global core.symlinks true and clone anew; the tools "
    "for Arm run best in WSL, which has no such limit."
)

MACHINE_FAILURES: tuple[Failure, ...] = (
    Failure(
        "symlinks-missing",
        r"WinError 1314\]|: A required privilege is not held by the client",
        "Symbolic links could not be made on this Windows, and ExecuTorch's source tree has some",
        WITH_LINKS,
        (
            "OSError: [WinError 1314] A required privilege is not held by the client: 'C:\\\\w\\\\a' -> 'C:\\\\w\\\\b'",
            "CMake Error: failed to create symbolic link 'a': A required privilege is not held by the client.",
        ),
    ),
    CRASHED_ALONE,
    Failure(
        "out-of-memory",
        r"did not complete successfully: exit code: 137|returned a non-zero code: 137",
        "A step of the image build was killed (exit code 137), most often for lack of memory",
        _MEMORY,
        (
            'ERROR: failed to solve: process "/bin/sh -c examples/arm/setup.sh" did not complete successfully: exit code: 137',
            "The command '/bin/sh -c pip3 install -r requirements.txt' returned a non-zero code: 137",
        ),
        1,
    ),
    Failure(
        "program-crashed",
        r": line \d{1,6}: +\d{1,9} Illegal instruction\b[^\n]{0,40}? " + _OF_PYTHON,
        "{program} crashed on an instruction that this processor does not have",
        "Give the virtual machine the host's processor (-cpu host), or install a release of the package for older processors: a compiled package (usually "
        "PyTorch) was built for a newer one.",
        ("run.sh: line 372: 41233 Illegal instruction     (core dumped) python3 -m backends.arm.scripts.aot_arm_compiler --model_name=mv2",),
        1,
    ),
    Failure(
        "program-crashed",
        r": line \d{1,6}: +\d{1,9} (?P<how>Segmentation fault|Aborted|Bus error)\b[^\n]{0,40}? " + _OF_PYTHON,
        "{program} crashed ({how})",
        "Start it once with python -X faulthandler to see where it crashes: the fault is in compiled code, not just in the model. Mixed releases of torch, "
        "executorch and ethos-u-vela cause this (create a fresh environment of one release), and so does too little memory.",
        ("run.sh: line 372: 41233 Segmentation fault      (core dumped) python3 -m backends.arm.scripts.aot_arm_compiler --model_name=mv2",),
        1,
    ),
    Failure(
        "program-crashed",
        r"terminate called after throwing an instance of 'pybind11::error_already_set'\s{1,8}what\(\): {0,4}UnicodeDecodeError: [^\n]{0,60}\bbyte (?P<byte>0x[0-9a-f]{2})",
        "ExecuTorch's Python package aborted: a runtime message contains bytes that are not text ({byte})",
        "Check the file (ls -l FILE; head -c 8 FILE | xxd: a program has ET12 in bytes 5 to 8), and give a complete .pte: most often it is not a program, "
        "and the message tried to print the bytes in place of its identifier.",
        ("terminate called after throwing an instance of 'pybind11::error_already_set' what():  UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 9: invalid start byte",),
    ),
    Failure(
        "program-crashed",
        r"terminate called after throwing an instance of '(?P<what>[^'\n]{1,100})'(?:\s{1,8}what\(\): {0,4}(?P<said>[^\n]{1,160}))?",
        "A C++ program stopped on an uncaught exception: {what} {said}",
        "See in the lines above which program was started: the fault is in it or its input (if it is Vela, try another release of ethos-u-vela, and report "
        "it with the model).",
        ("terminate called after throwing an instance of 'std::out_of_range'",),
    ),
    Failure(
        "npu-device-not-opened",
        r"\AError: Failed to open device\s*\Z",
        "A program could not open its device",
        "Check that /dev/ethosu0 exists (ls -l /dev/ethosu*), that its driver came up (dmesg | grep -i ethosu), and that this user may open it: Arm's and "
        "NXP's NPU tools for Linux (inference_runner, interpreter_runner) say this of that device. Another program names its device in its help.",
        ("Error: Failed to open device",),
    ),
    Failure(
        "npu-device-refused",
        r"\AError: IOCTL failed\s*\Z",
        "A device driver rejected a program's request",
        "Run dmesg | grep -i ethosu for the driver's own words. From the NPU tools on Linux this means that the device exists but does not understand them: "
        "kernel driver and tool library must be of one release (kernel and root file system from one BSP).",
        ("Error: IOCTL failed",),
    ),
    Failure(
        "download-failed",
        r"Something went wrong with the (?P<what>[\w .-]{1,80}?) download: Bad checksum\. Expected: (?P<wanted>\w{1,64}), Got: (?P<has>\w{1,64})",
        "The download of {what} is damaged or the wrong file: checksum {has}, expected {wanted}",
        _TORN,
        ("makefile.inc:7: *** Something went wrong with the Arm Corstone-300 software download: Bad checksum. Expected: 08cc, Got: 97e6.  Stop.",),
    ),
    Failure(
        "download-failed",
        r"\w{3,10}sum: WARNING: (?P<count>\d{1,6}) computed checksums? did NOT match",
        "A download is damaged or the wrong file: {count} checksum does not match",
        _TORN,
        ("sha256sum: WARNING: 1 computed checksum did NOT match",),
    ),
    Failure(
        "download-failed",
        r"\bERROR (?P<code>\d{3}): (?P<what>[^\n]{1,80})",
        "The server refused a download: {code} {what}",
        "For 404 (the file is no longer at that address) update the source tree, whose scripts hold the addresses, or download the file by hand from the "
        "vendor's page; for 403, 407 and 5xx check the proxy and try later.",
        ("2026-03-01 10:00:01 ERROR 404: Not Found.",),
    ),
    Failure(
        "download-failed",
        r"wget: unable to resolve host address \W?(?P<host>[\w.-]{1,100})",
        "A download failed: the name {host} could not be resolved",
        "Check the network, the name server (/etc/resolv.conf) and the proxy (https_proxy), and run the step again.",
        ("wget: unable to resolve host address \u2018developer.arm.com\u2019",),
    ),
    Failure(
        "download-failed",
        r"E: Failed to fetch (?P<url>\S{1,300}) {1,4}(?P<reason>(?:Temporary failure|Could not|Connection|Unable to connect|Cannot initiate)[^\n\[]{1,100})",
        "apt could not reach its server: {reason}",
        "Check the network, the name server (/etc/resolv.conf) and apt's own proxy (Acquire::http::Proxy in /etc/apt/apt.conf.d), and run the step again.",
        ("E: Failed to fetch http://archive.ubuntu.com/a.deb  Temporary failure resolving 'archive.ubuntu.com'",),
    ),
    Failure(
        "package-list-old",
        r"E: Failed to fetch (?P<url>\S{1,300}) {1,4}(?P<reason>[^\n\[]{1,100})",
        "apt could not fetch a package: {reason} ({url})",
        "Run apt-get update first: the package list is older than the server's (in a Dockerfile, in the same RUN as apt-get install).",
        ("E: Failed to fetch http://archive.ubuntu.com/ubuntu/pool/a_1_amd64.deb  404  Not Found [IP: 91.189.91.82 80]",),
    ),
    Failure(
        "package-list-old",
        r"E: Unable to locate package (?P<name>[^\s'\"`;&|]{1,80})",
        "apt does not know the package {name}",
        "Run apt-get update first (a fresh container has no package list at all); on Ubuntu it may be in universe (add-apt-repository universe), and names "
        "differ from release to release: apt-cache search {name}.",
        ("E: Unable to locate package ninja-build",),
    ),
    Failure(
        "dpkg-failed",
        r"E: Sub-process \S{0,40}dpkg returned an error code|dpkg was interrupted, you must manually run",
        "The system's packages are only half installed: dpkg failed",
        "Finish the package that the lines above name with sudo dpkg --configure -a, then sudo apt-get -f install, and run the step again.",
        ("E: Sub-process /usr/bin/dpkg returned an error code (1)",
         "E: dpkg was interrupted, you must manually run 'sudo dpkg --configure -a' to correct the problem."),
        1,
    ),
    Failure(
        "package-source-missing",
        r"E: The repository '(?P<url>[^'\n]{1,200})' (?:does not have a Release file|is not signed|no longer has a Release file)",
        "apt cannot get the package list of {url}",
        "Remove that source from /etc/apt/sources.list.d, or move to a supported release: its release is no longer served, or its key is missing.",
        ("E: The repository 'http://archive.example.org noble Release' does not have a Release file.",),
    ),
    Failure(
        "root-needed",
        r"E: Could not open lock file (?P<lock>\S{1,160})[^\n]{0,40}13: Permission denied|E: Unable to (?:acquire|lock) [^\n]{1,160}are you root\?",
        "apt needs root rights, and this step does not have them",
        "Run it with sudo (likewise a setup script that calls apt), or ask this machine's administrator to install the packages.",
        (
            "E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)",
            "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), are you root?",
        ),
    ),
    Failure(
        "package-manager-busy",
        r"E: (?:Could not get lock|Unable to acquire|Unable to lock) (?P<lock>[^\n]{1,160})",
        "Another apt is running, so this one could not start",
        "Wait until it has finished (unattended-upgrades after boot, for example), then run the step again; do not remove the lock.",
        ("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1234 (unattended-upgr)",),
    ),
    Failure(
        "image-wrong-machine",
        r"exec user process caused:? \"?exec format error|\bexec /\S{1,200}: exec format error",
        "The container's image was built for another processor architecture",
        "Use an image for this machine, or give the platform (docker build --platform linux/amd64, with QEMU's binfmt installed: docker run --privileged "
        "tonistiigi/binfmt --install all).",
        ('standard_init_linux.go:211: exec user process caused "exec format error"',),
    ),
    Failure(
        "image-wrong-machine",
        r"failed to resolve source metadata for (?P<image>\S{1,200}?): no match for platform in manifest",
        "The image {image} does not exist for this processor architecture",
        "Build with --platform linux/amd64 (on an Arm machine it is then emulated, and slow), or use an image that has this platform: docker manifest "
        "inspect {image}.",
        ("ERROR: failed to solve: a/b:1: failed to resolve source metadata for docker.io/a/b:1: no match for platform in manifest: not found",),
    ),
    Failure(
        "image-unreachable",
        r"failed to resolve source metadata for (?P<image>\S{1,200}?): (?P<why>[^\n]{0,200}(?:unexpected status|not found|authorization failed|insufficient_scope)[^\n]{0,80})",
        "The image {image} could not be fetched: {why}",
        "Check its name and tag, log in if the registry requires it (docker login HOST), and behind a proxy set one for the docker daemon too.",
        ("ERROR: failed to solve: ghcr.io/a/b:1: failed to resolve source metadata for ghcr.io/a/b:1: unexpected status from HEAD request to https://ghcr.io: 403 Forbidden",),
    ),
    Failure(
        "image-step-failed",
        r"process \"(?=(?P<step>[^\n\"]{1,120}))[^\n]{1,1000}? did not complete successfully: exit code: (?P<code>\d{1,5})|"
        r"The command '(?=(?P<run>[^'\n]{1,120}))[^\n]{1,400} returned a non-zero code: (?P<other>\d{1,5})",
        "A step of the image build ended with {code}{other}: {step}{run}",
        "Read what that step printed above (docker build --progress=plain shows all of it).",
        (
            'ERROR: failed to solve: process "/bin/sh -c apk add gcc" did not complete successfully: exit code: 1',
            "The command '/bin/sh -c pip3 install -r requirements.txt' returned a non-zero code: 1",
        ),
        3,
    ),
    Failure(
        "tool-crashed",
        r"CalledProcessError: Command '\[?'?(?=(?P<program>[^',\n]{1,200}))[^\n]{1,2000}? (?:returned non-zero exit status "
        r"(?P<code>3221\d{6}|-(?:4|6|7|8|11)\b|13[24569]\b)|died with <Signals\.(?P<signal>SIG(?:ILL|ABRT|BUS|FPE|SEGV)))",
        "A program that Python started crashed: {program} (status {code}{signal})",
        "Run that command alone and read its last lines, since it said no more here. 3221225477 and SIGSEGV are an invalid memory access, 3221225781 is a "
        "missing DLL, 3221226505 and SIGABRT an internal check that failed, most often on an operator or a shape that it does not accept; cut the model in "
        "halves to find it.",
        (
            "subprocess.CalledProcessError: Command '['C:\\\\x\\\\c_codegen.exe', '-i', 'm']' returned non-zero exit status 3221226505.",
            "subprocess.CalledProcessError: Command '['vela', 'a.tosa']' died with <Signals.SIGSEGV: 11>.",
        ),
        1,
    ),
    Failure(
        "build-failed",
        r"DistutilsExecError: command '(?P<program>[^'\n]{1,300})' failed with exit (?:code|status) (?P<code>\d{1,10})",
        "An installation step stopped: {program} (status {code})",
        "Read what that program printed above.",
        ("distutils.errors.DistutilsExecError: command '/w/env/bin/cmake' failed with exit code 1",),
        2,
    ),
    Failure(
        "bundleio-fail",
        r"Bundled I/O check FAILED for (?P<name>[^\s:]{1,200})",
        "The outputs of {name} do not match its bundled reference",
        "Capture everything that run_fvp.sh prints, whose log says how far off they are (BundleIO, Error stats); compare with the same program on the host, "
        "and set ET_ATOL and ET_RTOL to the deviation that the model may have.",
        ("[backends/arm/scripts/run_fvp.sh] Bundled I/O check FAILED for add.bpte",),
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`, before its own rows for tools and downloads."""
