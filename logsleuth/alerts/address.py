"""Where does a webhook go, and what of its address may be shown?"""

import base64
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit, urlunsplit

_LONG = 8
"""Characters from which on a part of a path or a query may be a secret, and not just a word (``hooks``)."""
_SHORT = 4
"""Characters below which masking would make sentences unreadable and hide nothing that is secret."""
_KEPT = "/:?#[]@!$&'()*+,;=%~-._"
"""Characters of paths and queries that stand as they are; what is encoded already is not encoded twice."""


class AddressError(ValueError):
    """The address cannot be used; ``str()`` says why in a sentence, without what may be secret in it."""


class Address(NamedTuple):
    url: str
    """What is asked for: without user, password and fragment, in ASCII."""
    authorization: str | None
    """The value of the header that says user and password, where the address has them."""
    shown: str
    """For sentences: ``https://hooks.example.com/***``. Of most chats the path is the password."""
    secrets: tuple[str, ...]
    """Parts of it that must not be shown, wherever they come from."""


def address(text: str) -> Address:
    """Reads the address of a webhook, or of ``@FILE`` the one that is kept in a file; raises AddressError.

    What stands on a command line can be read by everybody on the machine, a file by whom it lets.
    """
    text = (_kept_in(Path(text[1:])) if text.startswith("@") else text).strip()
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        # Its own words may quote the address.
        what = "port" if "ort" in str(error) else "address"
        raise AddressError(f"its {what} cannot be read. It looks like https://host:443/path.") from None
    if parts.scheme not in ("http", "https"):
        raise AddressError("it does not begin with http:// or https://.")
    if not parts.hostname:
        raise AddressError(f"no host stands behind {parts.scheme}://.")
    if any(character.isspace() or not character.isprintable() for character in text):
        raise AddressError("it holds a blank or a control character. Write %20 for a blank.")
    host = _ascii(parts.hostname)
    place = host if port is None else f"{host}:{port}"
    url = urlunsplit((parts.scheme, place, quote(parts.path or "/", _KEPT), quote(parts.query, _KEPT), ""))
    hidden = "***" if parts.path.strip("/") or parts.query else ""
    authorization = _authorization(parts.username, parts.password)
    return Address(url, authorization, f"{parts.scheme}://{place}/{hidden}", _secrets(url, text, authorization))


def _kept_in(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise AddressError(f"{file}, which is to hold it, cannot be read: {why}.") from None
    if not text.strip():
        raise AddressError(f"{file}, which is to hold it, is empty.")
    return text


def _ascii(host: str) -> str:
    if ":" in host:
        return f"[{host}]"
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        raise AddressError("its host is no name that the network knows.") from None


def _authorization(user: str | None, password: str | None) -> str | None:
    if user is None:
        return None
    pair = f"{unquote(user)}:{unquote(password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def _secrets(url: str, text: str, authorization: str | None) -> tuple[str, ...]:
    """Whatever a server may repeat of it: the whole, its parts, the password as given and as sent; longest first."""
    given, asked = urlsplit(text), urlsplit(url)
    found = {text, url, given.path, asked.path, given.query, asked.query}
    found.update(part for part in re.split("[/&=]", f"{asked.path}&{asked.query}") if len(part) >= _LONG)
    if authorization is not None:
        found.update((given.password or "", unquote(given.password or ""), authorization.removeprefix("Basic ")))
    return tuple(sorted((one for one in found if len(one) >= _SHORT), key=lambda one: (-len(one), one)))
