"""What git refuses, and servers that break off what it fetches: clones and submodules of a source tree."""

from __future__ import annotations

from .causes import Failure

_AGAIN = "run the step again (git submodule sync; git submodule update --init --recursive resumes where it stopped)."
_HTTPS = (
    "Fetch over https instead, which needs no key: git config --global url.https://github.com/.insteadOf git@github.com: (then git submodule "
    "sync; git submodule update --init --recursive), or add this machine's key to the account."
)

GIT_FAILURES: tuple[Failure, ...] = (
    Failure(
        "git-ownership",
        r"dubious ownership in repository at '(?P<path>[^'\n]{1,300})'",
        "git refuses {path}: the folder belongs to another user",
        "Allow it: git config --global --add safe.directory {path} (usual in containers, where the folder comes from the host), or build as its "
        "owner; then run the step again.",
        ("fatal: detected dubious ownership in repository at '/w/executorch'",),
    ),
    Failure(
        "git-access",
        r"git@\S{1,100}: Permission denied \((?:[\w,-]{0,80},)?publickey",
        "The server accepts no SSH key of this machine, so git cannot fetch",
        _HTTPS,
        ("git@github.com: Permission denied (publickey).",),
    ),
    Failure(
        "ssh-refused",
        r"(?:(?P<who>[\w.-]{1,64}@[\w.:-]{1,100}): )?Permission denied \((?:[\w,-]{0,80},)?publickey",
        "SSH was refused: the remote machine accepts no key of this one ({who})",
        "Copy a key there (ssh-copy-id NAME@HOST), use the right user, or give the key with -i FILE; for git, fetch over https instead.",
        ("root@192.168.1.5: Permission denied (publickey,password).",),
    ),
    Failure(
        "ssh-refused",
        r"ssh: Could not resolve hostname (?P<host>[^\s:]{1,100})",
        "SSH could not reach {host}: its name could not be resolved",
        "Check the name, the network and its DNS (getent hosts {host}; /etc/resolv.conf, in WSL and containers too); a board can also be reached "
        "by its IP address. For git, fetch over https instead.",
        ("ssh: Could not resolve hostname github.com: Name or service not known",),
    ),
    Failure(
        "ssh-refused",
        r"Host key verification failed\.",
        "SSH does not know the remote machine's host key, or knows a different one",
        "Connect once by hand and compare the key (ssh HOST); if that machine was reinstalled, remove its old key first (ssh-keygen -R HOST). For "
        "git, fetch over https instead.",
        ("Host key verification failed.",),
    ),
    Failure(
        "git-access",
        r"fatal: (?:repository 'https?://(?:[^/'@\s]{1,100}@)?(?P<url>[^'@\s]{1,300})' not found|"
        r"Authentication failed for 'https?://(?:[^/'@\s]{1,100}@)?(?P<private>[^'@\s]{1,300})')",
        "git cannot read {url}{private}: it does not exist or this account has no access",
        "Check the address; a private repository needs a token from an account that may read it, in place of a password.",
        (
            "fatal: repository 'https://git.example.org/a.git/' not found",
            "fatal: Authentication failed for 'https://git.example.org/a.git/'",
        ),
    ),
    Failure(
        "git-access",
        r"could not read (?:Username|Password) for 'https?://(?:[^/'@\s]{1,100}@)?(?P<host>[^/'@\s]{1,100})[^'\n]{0,200}': (?:terminal prompts|No such device)",
        "{host} asked git for a name and password, and nobody can answer here",
        "Check the address first: a server also asks this when a repository does not exist. A private one needs a token (git config --global "
        "credential.helper store, or https://TOKEN@{host}/...).",
        ("fatal: could not read Username for 'https://github.com': terminal prompts disabled",),
    ),
    Failure(
        "git-ref-unknown",
        r"error: pathspec '(?P<name>[^'\n]{1,120})' did not match any file|Remote branch (?P<branch>\S{1,120}) not found in upstream|"
        r"fatal: '?(?P<commit>[^'\s]{1,120})'? is not a commit and a branch|[Cc]ould(?:n't| not) find remote ref (?P<ref>\S{1,120})",
        "git knows no branch, tag or file {name}{branch}{commit}{ref} here",
        "Fetch first (git fetch --all --tags), and see what exists: git tag -l 'v*', git branch -r; releases of ExecuTorch are v1.0.0, v1.1.0 and "
        "so on.",
        (
            "error: pathspec 'v9.9.9' did not match any file(s) known to git",
            "fatal: Remote branch v9.9.9 not found in upstream origin",
            "fatal: 'origin/release/1.5' is not a commit and a branch 'release/1.5' cannot be created from it",
        ),
    ),
    Failure(
        "git-refused",
        r"fatal: Unable to create '(?P<lock>[^'\n]{1,300}\.lock)': File exists",
        "git found the lock of another git process: {lock}",
        "Wait until that process has finished; if none is running (an earlier one was killed), rm -f {lock} and run the step again.",
        ("fatal: Unable to create '/w/executorch/.git/index.lock': File exists.",),
    ),
    Failure(
        "git-refused",
        r"error: (?:Your local changes to the following files|The following untracked working tree files) would be overwritten by (?P<step>checkout|merge|switch)",
        "git stopped: its {step} would overwrite local changes",
        "Stash them (git stash; untracked files: git stash -u) or commit them, then run the step again; git status lists them.",
        ("error: Your local changes to the following files would be overwritten by checkout:",),
    ),
    Failure(
        "git-refused",
        r"fatal: destination path '(?P<path>[^'\n]{1,300})' already exists and is not an empty directory",
        "git does not clone into {path}: the folder is not empty",
        "If it is that clone, go into it (git pull; git submodule update --init --recursive); else look at what is in it (ls -A {path}) and "
        "remove it.",
        ("fatal: destination path 'executorch' already exists and is not an empty directory.",),
    ),
    Failure(
        "source-not-git",
        r"fatal: not a git repository",
        "This folder is not a git clone, and the step needs one",
        "Clone it: git clone --recurse-submodules https://github.com/pytorch/executorch.git -b v1.0.0 (your release), since a source archive "
        "(ZIP, tar.gz) has no submodules; if you have a clone, go into it first.",
        ("fatal: not a git repository (or any of the parent directories): .git",),
    ),
    Failure(
        "git-access",
        r"fatal: Could not read from remote repository",
        "git cannot read a repository that it fetches over SSH",
        _HTTPS,
        ("fatal: Could not read from remote repository.",),
        1,
    ),
    Failure(
        "download-failed",
        r"unable to access 'https?://(?:[^/'@\s]{1,100}@)?(?P<host>[^/'@\s]{1,100})[^'\n]{0,300}': "
        r"(?!Could not resolve|[^\n]{0,60}certificate verif|SSL certificate problem)(?P<reason>[^\n]{1,160}?)(?= fatal: |\n|\Z|(?<=[^\n]{160}))",
        "git could not fetch from {host}: {reason}",
        "Check whether that server answers (curl -I https://{host}) and whether a proxy is in between (https_proxy); if the server is failing, "
        f"wait, then {_AGAIN}",
        (
            "fatal: unable to access 'https://git.example.org/a.git/': The requested URL returned error: 502",
            "fatal: unable to access 'https://git.example.org/a.git/': SSL: no alternative certificate subject name matches target host name 'x'",
        ),
    ),
    Failure(
        "download-failed",
        r"error: (?P<reason>RPC failed; HTTP \d{3}[^\n]{0,80}?|RPC failed; curl \d{1,3} [^\n]{1,80}|GnuTLS recv error \(-?\d{1,4}\)[^\n(]{0,80})(?=\s*\(|\.?\s*\Z|\n)",
        "git could not fetch: the server or connection dropped ({reason})",
        f"Wait, check the proxy (https_proxy), and {_AGAIN} The fault is in the server or the network, not in the source tree.",
        (
            "error: RPC failed; HTTP 504 curl 22 The requested URL returned error: 504",
            "error: RPC failed; curl 56 GnuTLS recv error (-54): Error in the pull function.",
            "error: GnuTLS recv error (-9): A TLS packet with unexpected length was received. (curl_result = 56, http_code = 200, sha1 = fa24)",
        ),
    ),
    Failure(
        "download-failed",
        r"fatal: clone of '(?P<url>[^'\s]{1,300})' into submodule path '[^'\n]{1,300}' failed",
        "git could not clone the submodule {url}",
        f"Read the lines above it for the reason, then {_AGAIN}",
        ("fatal: clone of 'https://git.example.org/a.git' into submodule path '/w/third-party/a' failed",),
        1,
    ),
    Failure(
        "download-failed",
        r"(?:Smudge error: |batch response: |Error downloading object: )(?:[^\n]{0,300}batch response: )?(?P<reason>[^\n]{1,160}?)(?=\. |\n|\Z|(?<=[^\n]{160}))",
        "Git LFS could not fetch a file: {reason}",
        "Check whether the server lets this account fetch (git lfs fetch), then git lfs pull: until then a three-line pointer stands in for the "
        "file. To do without those files, clone with GIT_LFS_SKIP_SMUDGE=1.",
        ("batch response: This repository is over its data quota. Account responsible for LFS bandwidth should purchase more data packs.",),
    ),
    Failure(
        "download-failed",
        r"smudge filter lfs failed|external filter 'git-lfs|/info/lfs'",
        "Git LFS could not fetch its files",
        "Read the lines above it for the reason, then git lfs pull.",
        ("fatal: models/a.pt: smudge filter lfs failed",),
        1,
    ),
    Failure(
        "submodule-missing",
        r"\[ExecuTorch\] ERROR: (?P<reason>Error updating submodules[^\n]{0,160}|CMakeLists\.txt not found in \S{1,200}?(?=\.?(?:\s|\Z))|"
        r"Submodule update failed)|required submodules could not be found: \{(?P<names>[^}\n]{1,160})",
        "Submodules of ExecuTorch are missing: {reason}{names}",
        "Fetch them: git submodule sync; git submodule update --init --recursive (its first error is the reason), then install again.",
        (
            "2026-02-17 14:38:59,120 [ExecuTorch] ERROR: CMakeLists.txt not found in third-party/flatbuffers.",
            "2026-02-17 14:38:59,120 [ExecuTorch] ERROR: Submodule update failed. Please run `git submodule update --init --recursive` manually.",
            "The following required submodules could not be found: {'pthreadpool', 'flatbuffers'}.",
        ),
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`, before its own rows for downloads."""
