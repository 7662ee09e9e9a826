"""Downloads that failed: the server's certificate, the proxy, the server's name, or the connection itself."""

from __future__ import annotations

from .causes import Failure

_PROXY = (
    "Set it in https_proxy and http_proxy, or with pip --proxy (http://HOST:PORT), check pip config list, and unset them if there is no proxy; then run the "
    "step again."
)

NETWORK_FAILURES: tuple[Failure, ...] = (
    Failure(
        "download-failed",
        r"certificate verif(?:y|ication) failed|CERTIFICATE_VERIFY_FAILED|SSL certificate problem|problem confirming the ssl certificate",
        "A download failed: the server's certificate could not be verified",
        "Update this machine's certificates (apt install --reinstall ca-certificates) and check its clock; behind a proxy that inspects TLS, add the "
        "proxy's own certificate (update-ca-certificates; REQUESTS_CA_BUNDLE for pip).",
        (
            "fatal: unable to access 'https://example.org/a/': server certificate verification failed. CAfile: none CRLfile: none",
            "ERROR: SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed'))",
            "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by "
            "'SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed (_ssl.c:1006)'))': /simple/a/",
        ),
    ),
    Failure(
        "download-failed",
        r"407 Proxy Authentication",
        "A download failed: the proxy requires a name and password (407)",
        "Give them in https_proxy and http_proxy (http://NAME:PASSWORD@HOST:PORT, with %40 for an @ in them), or run the step on a network without a proxy.",
        (
            "WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by "
            "'ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407 Proxy Authentication Required'))': /simple/a/",
        ),
    ),
    Failure(
        "download-failed",
        r"ProxyError|Cannot connect to proxy|Could not resolve proxy",
        "A download failed: the proxy blocks it, or cannot be reached",
        _PROXY,
        (
            "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by "
            "'ProxyError('Cannot connect to proxy.', OSError(0, 'Error'))': /simple/a/",
            "Could not fetch URL https://pypi.org/simple/pip/: connection error: HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded "
            "with url: /simple/pip/ (Caused by ProxyError('Cannot connect to proxy.', ConnectionResetError(10054, 'x', None, 10054, None))) - skipping",
        ),
    ),
    Failure(
        "download-failed",
        r"(?:NewConnectionError|NameResolutionError)[^\n]{0,300}(?:name resolution|Name or service not known|getaddrinfo failed|nodename nor servname)",
        "A download failed: this machine could not resolve the server's name",
        "Check the network and its DNS (getent hosts pypi.org; /etc/resolv.conf, in WSL and containers too), set https_proxy behind a proxy, and run the "
        "step again.",
        (
            "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by "
            "'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f2>: Failed to establish a new connection: [Errno -3] "
            "Temporary failure in name resolution')': /simple/tosa-tools/",
        ),
    ),
    Failure(
        "download-failed",
        r"dial tcp[^\n]{0,160}(?P<reason>no such host|i/o timeout|connection refused|network is unreachable)|net/http: (?P<http>TLS handshake timeout)",
        "A container image download failed: {reason}{http}",
        "Check the network, its DNS and the proxy of the Docker daemon (docker info shows it; it ignores the shell's https_proxy), and run the step again.",
        ("ERROR: failed to solve: a/b: failed to do request: dial tcp: lookup registry-1.docker.io: no such host",),
    ),
    Failure(
        "download-failed",
        r"CondaHTTPError: (?P<conda>[^\n<]{1,80}?)(?= for url| FOR CHANNEL|\n|\Z)|(?:Failed to (?:fetch|download):? `(?P<url>[^`\n]{1,200})`)|"
        r"error: (?P<uv>Request failed after \d{1,3} retries)|Download error \(\d{1,3}\) (?P<mamba>[^\n]{1,160})",
        "A download failed: {conda}{url}{uv}{mamba}",
        "Check the network, its DNS and the proxy (https_proxy), and run the step again.",
        (
            "CondaHTTPError: HTTP 000 CONNECTION FAILED for url <https://repo.anaconda.com/pkgs/main/linux-64/repodata.json>",
            "error: Failed to fetch: `https://pypi.org/simple/torch/`",
            "error: Request failed after 3 retries",
            "Download error (6) Couldn't resolve host name [https://conda.anaconda.org/conda-forge/noarch/repodata.json]",
        ),
    ),
    Failure(
        "download-failed",
        r"Could not resolve host: ?(?P<host>[\w.-]{1,100})",
        "A download failed: the name {host} could not be resolved",
        "Check the network and its DNS (getent hosts {host}; /etc/resolv.conf, in WSL and containers too), set https_proxy behind a proxy, and run the step "
        "again.",
        (
            "fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com",
            "curl: (6) Could not resolve host: developer.arm.com",
        ),
    ),
    Failure(
        "download-failed",
        r"curl: \(22\) The requested URL returned error: (?P<code>404|410)\b",
        "A download failed: the server has no such file ({code})",
        "Update the source tree, whose scripts hold the addresses, or download the file by hand from the vendor's page: it is no longer at that address.",
        ("curl: (22) The requested URL returned error: 404", "curl: (22) The requested URL returned error: 404 Not Found"),
    ),
    Failure(
        "download-failed",
        r"curl: \(\d{1,3}\) (?P<curl>[^\n]{1,120})|"
        r"Mismatched MD5 checksum for file: (?P<file>[^\s,]{1,120})|fatal: unable to access|Temporary failure in name resolution|"
        r"Connection (?:refused|timed out|reset)|RPC failed; curl|fetch-pack: unexpected disconnect|"
        r"Read timed out|Max retries exceeded|NewConnectionError|SSLError\(|after connection broken by|^Could not fetch URL",
        "A download failed: {curl}{file}",
        "Check the network and the proxy (https_proxy), remove the partial file, and run the step again.",
        (
            "curl: (56) Recv failure: Connection was reset",
            "Mismatched MD5 checksum for file: FVP_corstone300.tgz. Expecting 12 but got 34.",
            "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by "
            "'ProtocolError('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))': /simple/a/",
        ),
    ),
)  # fmt: skip
"""A part of `BUILD_FAILURES`, behind what pip says of a package that is not there."""

PYTHON_DOWNLOADS: tuple[Failure, ...] = (
    Failure(
        "download-failed",
        r"IncompleteRead\((?:\d{1,19} bytes read|\w)|^requests\.exceptions\.\w+: \(?'Connection aborted\.'(?!, (?:FileNotFound|Permission)Error)|"
        r"^http\.client\.RemoteDisconnected: Remote end closed connection",
        "A download of a Python program broke off",
        "Run the step again, and check the network and the proxy (https_proxy); what comes in many pieces goes on where it stopped, else remove the torn file first.",
        (
            "urllib3.exceptions.IncompleteRead: IncompleteRead(1000 bytes read, 500 more expected)",
            "http.client.IncompleteRead: IncompleteRead(1000 bytes read, 500 more expected)",
            "requests.exceptions.ConnectionError: ('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))",
            "http.client.RemoteDisconnected: Remote end closed connection without response",
        ),
    ),
    Failure(
        "download-failed",
        r"invalid hash value \(expected \"(?P<hash>\w{4,64})\", got ",
        "What was downloaded is not what was meant: its hash does not begin with {hash}",
        "Run the step again: the download is damaged or came from elsewhere (a proxy, a login page), and torch keeps no such file. If it happens again, put the "
        "file into ~/.cache/torch/hub/checkpoints yourself.",
        ('RuntimeError: invalid hash value (expected "b0353104", got "0123456789abcdef")',),
    ),
)  # fmt: skip
"""Downloads of weights and data that a Python program has begun itself."""
