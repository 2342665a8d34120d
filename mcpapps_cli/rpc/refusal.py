"""Why a URL could not be spoken to; no header value and no secret part of a URL is in any text."""

from __future__ import annotations

from mcpapps_cli.errors import ServerError
from mcpapps_cli.rpc.address import shown

_HELP = {
    401: 'pass a credential, such as --header "Authorization: Bearer ${TOKEN}"',
    403: "check the credential, and that the server accepts this host name and origin",
    404: "check the path of the URL; most servers listen at /mcp",
    405: "check that the URL is a streamable HTTP endpoint, not one of the older SSE transport",
    407: "check the user and password of the proxy in HTTP_PROXY or HTTPS_PROXY",
    421: "the server accepts only other host names; try localhost or 127.0.0.1",
    501: "check that this is the URL of an MCP server; most listen at /mcp",
    429: "the server limits how often it is asked; wait a little",
}
_PHRASE = {401: "unauthorized", 403: "forbidden", 404: "not found", 405: "method not allowed"}


class StatusError(ServerError):
    """An HTTP answer that is no JSON-RPC.

    Attributes:
        status: The HTTP status code.
    """

    def __init__(self, status: int, url: str):
        phrase = f" ({_PHRASE[status]})" if status in _PHRASE else ""
        default = "look into the server's log" if status >= 500 else "check the URL"
        super().__init__(
            f'"{shown(url)}" answered {status}{phrase}', help=_HELP.get(status, default)
        )
        self.status = status

    @property
    def is_final(self) -> bool:
        """Whether asking in another era cannot help."""
        return self.status in (401, 403, 407, 421)


def bad_url(url: str) -> ServerError:
    """Return the error for something that is no HTTP URL."""
    return ServerError(
        f'"{shown(url)}" is not an http or https URL',
        help="give one like http://127.0.0.1:8000/mcp",
    )


def bad_header(name: str) -> ServerError:
    """Return the error for a header that HTTP cannot carry."""
    return ServerError(
        f'header "{name}" cannot be sent',
        help="a name has letters, digits and hyphens, a value only printable ASCII",
    )


def redirected(url: str, target: str) -> ServerError:
    """Return the error for a redirect that could hand the headers to somebody else."""
    return ServerError(
        f'"{shown(url)}" redirects to "{shown(target)}"', help="pass that URL if it is the server"
    )


def wrong_type(url: str, content_type: str) -> ServerError:
    """Return the error for an answer that is neither JSON nor an event stream."""
    named = content_type[:80] or "no content type"
    return ServerError(
        f'"{shown(url)}" answered with "{named}", which is not MCP',
        help=_HELP[404],
    )


def too_large(limit: int) -> ServerError:
    """Return the error for a message over the limit, in bytes."""
    return ServerError(
        f"the server sent a message of more than {limit / 2**20:g} MiB",
        help="make the answer smaller, such as by paging or by serving data on demand",
    )


def of_error(error: Exception, url: str) -> ServerError:
    """Return the error for an exception of httpx, whose own text may quote a header."""
    # Imported here, because the stdio side uses `StatusError` and needs no httpx.
    import httpx

    place = shown(url)
    match error:
        case httpx.ConnectTimeout():
            return ServerError(
                f'"{place}" could not be reached in time', help="check the host name and the port"
            )
        case httpx.ProxyError():
            return ServerError(
                f'the proxy refused to reach "{place}"',
                help="check HTTP_PROXY and HTTPS_PROXY, or put the host into NO_PROXY",
            )
        case httpx.ConnectError():
            return _not_connected(str(error), place)
        case httpx.ReadError() | httpx.RemoteProtocolError() | httpx.WriteError():
            return ServerError(
                f'"{place}" closed the connection before it answered',
                help="look into the server's log",
            )
        case _:
            return ServerError(
                f'"{place}" could not be spoken to ({type(error).__name__})',
                help="check that it is an MCP server with streamable HTTP",
            )


def _not_connected(text: str, place: str) -> ServerError:
    if "CERTIFICATE" in text.upper():
        return ServerError(
            f'the certificate of "{place}" is not trusted',
            help="name the file with its authority in SSL_CERT_FILE",
        )
    if "SSL" in text.upper():
        return ServerError(
            f'"{place}" does not speak TLS properly', help="check whether it is http, not https"
        )
    return ServerError(
        f'"{place}" could not be reached',
        help="check that the server runs, and its host name and port",
    )
