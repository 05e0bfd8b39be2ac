"""Reads all of what will be shared, and then gives it back without the names of hosts, users, paths and addresses."""

import re
from collections.abc import Iterable

from logsleuth.redaction import addresses, names, paths, secrets

_FOUND = re.compile(
    rb"(?P<secret>%b)|(?P<url>%b)|(?P<path>%b|%b)|(?P<address>%b|%b|%b|%b|%b|%b)"
    % (
        secrets.SECRET,
        paths.URL,
        paths.ABSOLUTE,
        paths.RELATIVE,
        addresses.IPV4,
        addresses.IPV6,
        addresses.MAC,
        addresses.GUID,
        addresses.UUID,
        addresses.SERIAL,
    )
)
_MARK = b"\x1e"
_SLASH = re.compile(rb"\\+/")
"""As some write a slash in JSON."""
_JOINED = re.compile(rb"\[[\d;]{0,12}m(?=[\w/])|\\[nrtbf](?=[\w/.])|\\u00[01][0-9a-fA-F](?=[\w/])")
"""Colours and escapes, behind whose last letter a name begins."""
_MAIL = rb"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}"
_PUBLIC = re.compile(
    rb"(?:[\w-]+\.)*(?:huggingface\.co|hf\.co|github\.com|githubusercontent\.com|pytorch\.org|nvidia\.com|pypi\.org|python\.org"
    rb"|wandb\.ai|amazonaws\.com|googleapis\.com|azure\.com|windows\.net|kernel\.org|readthedocs\.io)(?::\d+)?|localhost(?::\d+)?"
)
_STORES = re.compile(rb"(?:s3a?|gs|gcs|az|abfss?|hdfs|oss|cos|tos|file|viewfs)\Z")


class Redactor:
    """Is shown every text and path once (``learn``), then told that this was all (``settle``), then renames.

    One thing has one new name in all of it. New names depend on what was shown, not on its order.
    """

    def __init__(self, spared: Iterable[bytes] = ()) -> None:
        """``spared`` are words, in lower case, that stay even where they are also somebody's name: those that rules
        look for."""
        self._spared = frozenset(spared)
        self._words = paths.Words(self._spared)
        self._candidates: set[bytes] = set()
        self._users: set[bytes] = set()
        self._addresses: set[bytes] = set()
        self._sites: set[bytes] = set()
        self._hosts_renamed: dict[bytes, bytes] = {}
        self._users_renamed: dict[bytes, bytes] = {}
        self._others_renamed: dict[bytes, bytes] = {}
        self._named = self._all = _FOUND

    def learn(self, text: bytes) -> None:
        """Takes note of the names in whole lines, or in a path."""
        text = _apart(text)
        self._candidates.update(stem + number for stem, number in names.LISTS.findall(text))
        self._candidates.update(names.WORD.findall(text))
        self._users.update(names.users_in(text))
        for match in _FOUND.finditer(text):
            found = match[0]
            if match.lastgroup == "path":
                self._words.learn(found)
            elif match.lastgroup == "url":
                self._learn_url(found, text[max(match.start() - 12, 0) : match.start() - 3])
            elif match.lastgroup == "address" and not addresses.is_version(text, match.start()):
                self._addresses.add(found)

    def settle(self, hosts: Iterable[str] = ()) -> None:
        """All was shown. ``hosts`` are names that are known to be hosts', beside those that look like it."""
        known = names.hosts_in(self._candidates) | {
            host.partition(".")[0].lower() for host in hosts if not _is_number(host)
        }
        known = {host for host in known if host and host.encode() not in self._spared and host != "localhost"}
        for host in known:
            if match := re.fullmatch(r"ip-(\d+)-(\d+)-(\d+)-(\d+)", host):
                self._addresses.add(".".join(match.groups()).encode())
        self._others_renamed = addresses.renamed(self._addresses)
        self._hosts_renamed = names.renamed_hosts(known, lambda address: self._others_renamed.get(address, address))
        users = {
            user for user in self._users if user.lower() not in self._spared and user.decode().lower() not in known
        }
        self._users_renamed = names.renamed_users(users)
        for number, site in enumerate(sorted(self._sites - self._hosts_renamed.keys()), 1):
            self._others_renamed.setdefault(site, b"site-%d.example" % number)
        self._words.number()
        self._named = re.compile(_alternatives(self._hosts_renamed, self._users_renamed))
        self._named_in_paths = re.compile(_alternatives(self._hosts_renamed, self._users_renamed, is_path=True))
        self._all = re.compile(b"%b|(?P<mail>%b)|%b" % (_FOUND.pattern, _MAIL, self._named.pattern))

    def text(self, data: bytes) -> bytes:
        """The same lines with everything renamed; takes whole lines."""
        return self._all.sub(self._rename, _apart(data)).replace(_MARK, b"")

    def path(self, path: str) -> str:
        """The path of a log with everything renamed; what tells ranks, attempts and kinds stays."""
        return self._path(path.encode("utf-8", "surrogateescape")).decode("utf-8", "replace")

    @property
    def counts(self) -> dict[str, int]:
        """How many different things of each kind were renamed."""
        return {
            "hosts": sum(not name.endswith(b"[") for name in self._hosts_renamed),
            "users": len(self._users_renamed),
            "addresses": len(self._others_renamed),
        }

    def host(self, name: str) -> str:
        """The new name of a host as a verdict tells it."""
        return self.text(name.encode()).decode()

    def learn_path(self, path: str) -> None:
        """Takes note of the names in the path of a log, absolute or not."""
        raw = path.encode("utf-8", "surrogateescape")
        self._words.learn(raw)
        self._candidates.update(names.WORD.findall(re.sub(rb"[/_]", b" ", raw)))
        self._users.update(names.users_in(raw))

    def _learn_url(self, url: bytes, scheme: bytes) -> None:
        site, slash, rest = url.partition(b"/")
        if _STORES.search(scheme):
            self._words.learn(url)
        elif not _PUBLIC.fullmatch(site):
            self._words.learn(slash + rest)
            name = site.partition(b":")[0]
            if re.fullmatch(addresses.IPV4, name):
                self._addresses.add(name)
            elif b"." in name:
                self._sites.add(name)

    def _path(self, path: bytes) -> bytes:
        return self._words.renamed(path, self._named_in_paths, self._rename)

    def _rename(self, match: re.Match[bytes]) -> bytes:
        found, kind = match[0], match.lastgroup
        if kind == "secret":
            return secrets.removed(found)
        if kind == "mail":
            return b"user@mail.example"
        if kind == "path":
            return self._path(found)
        if kind == "url":
            return self._url(found, match.string[max(match.start() - 12, 0) : match.start() - 3])
        if kind == "address":
            return (
                found if addresses.is_version(match.string, match.start()) else self._others_renamed.get(found, found)
            )
        if kind == "host":
            short, dot, _ = found.partition(b".")
            return self._hosts_renamed.get(short.lower(), short) + (b".cluster.internal" if dot else b"")
        return self._users_renamed.get(found, found)

    def _url(self, url: bytes, scheme: bytes) -> bytes:
        if _STORES.search(scheme):
            return self._path(url)
        site, slash, rest = url.partition(b"/")
        if _PUBLIC.fullmatch(site):
            return url
        name, colon, port = site.partition(b":")
        renamed = self._others_renamed.get(name) or self._named.sub(self._rename, name)
        return renamed + colon + port + self._path(slash + rest)


def _apart(text: bytes) -> bytes:
    """The text with a mark between names and what stands right in front of them, so that names are words."""
    text = _SLASH.sub(b"/", text.replace(_MARK, b""))
    return _JOINED.sub(rb"\g<0>" + _MARK, text) if b"\\" in text or b"[" in text else text


def _alternatives(hosts: Iterable[bytes], users: Iterable[bytes], is_path: bool = False) -> bytes:
    """A pattern of these names as whole words; the longest first.

    In names of files a hyphen joins a host to other words (``4711-gpu-a12-3.out``); elsewhere it makes another name.
    """
    lists = []
    for kind, found, behind in (("host", hosts, names.DOMAIN + rb"?+"), ("user", users, b"")):
        if known := sorted(found, key=lambda name: (-len(name), name)):
            words = b"|".join(map(re.escape, known))
            before, after = (rb"", rb"") if is_path and kind == "host" else (rb"-", rb"|-[A-Za-z0-9]")
            case = b"(?i:%b)" % words if kind == "host" else b"(?:%b)" % words
            lists.append(
                rb"(?P<%b>(?<![A-Za-z0-9%b])%b%b(?:(?<=\[)|(?![A-Za-z0-9]%b)))"
                % (kind.encode(), before, case, behind, after)
            )
    return b"|".join(lists) or rb"(?!)"


def _is_number(host: str) -> bool:
    return re.fullmatch(r"[\d.:]+|[0-9a-f:]+:[0-9a-f:]*", host) is not None
