"""Addresses of networks and devices: which ones tell where a log is from, and what stands in their place.

A replacement is of the kind that rules ask for (loopback, link-local and docker's own bridge stay as they are; private
stays private), and two addresses share a network exactly where those that they replace did.
"""

import ipaddress
import re
from collections import defaultdict
from collections.abc import Iterable

IPV4 = rb"(?<![\w.])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w]|\.\d)"
IPV6 = rb"(?<![\w:.])(?:fe80|f[cd][0-9a-fA-F]{2}|[23][0-9a-fA-F]{3})(?::{1,2}[0-9a-fA-F]{1,4}){2,7}(?![\w:])"
MAC = (
    rb"(?<![\w:])[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}(?![\w:])|(?<![\w-])[0-9a-fA-F]{2}(?:-[0-9a-fA-F]{2}){5}(?![\w-])"
)
GUID = rb"(?<=GUID: )0x[0-9a-f]{16}|(?i:(?<=guid[ :=])0x[0-9a-f]{16})|(?<![\w:])[0-9a-f]{4}(?::[0-9a-f]{4}){3}(?![\w:])"
UUID = rb"(?<=GPU-)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
SERIAL = rb"(?<=Serial Number)[ ]{1,40}: (?!N/A|0\b)\w{6,20}"
_VERSION = re.compile(rb"(?:version|[Cc][Uu][Dd][Nn][Nn]|driver|==|v)[ :=_-]{0,3}\Z", re.IGNORECASE)


def is_version(text: bytes, start: int) -> bool:
    """Whether four numbers that begin here are a version, by the word before them."""
    return _VERSION.search(text[max(start - 16, 0) : start]) is not None


def renamed(found: Iterable[bytes]) -> dict[bytes, bytes]:
    """What stands in place of each address, in whatever order they were found; those that stay are left out."""
    by_kind: dict[str, set[bytes]] = defaultdict(set)
    for address in found:
        by_kind[_kind(address)].add(address)
    names = _ipv4(by_kind.pop("ipv4", set()))
    for kind, addresses in by_kind.items():
        for number, address in enumerate(sorted(addresses), 1):
            names[address] = _numbered(kind, address, number)
    return names


def _kind(address: bytes) -> str:
    text = address.lower()
    if text.startswith(b" "):
        return "serial"
    if text.count(b".") == 3:
        return "ipv4"
    if text.startswith(b"0x"):
        return "guid"
    if text.count(b"-") == 4:
        return "uuid"
    groups = text.replace(b"-", b":").split(b":")
    if len(groups) == 6 and all(len(group) == 2 for group in groups):
        return "mac"
    if len(groups) == 4 and all(len(group) == 4 for group in groups):
        return "short guid"
    return "link-local" if text.startswith(b"fe80") else "ipv6"


def _numbered(kind: str, address: bytes, number: int) -> bytes:
    if kind == "serial":
        head, _, digits = address.rpartition(b" ")
        return head + b" " + b"%0*d" % (len(digits), number)
    if kind == "guid":
        return b"0x02%014x" % number
    if kind == "uuid":
        return b"00000000-0000-0000-0000-%012x" % number
    if kind == "mac":
        new = b"02:00:00:%02x:%02x:%02x" % (number >> 16 & 255, number >> 8 & 255, number & 255)
        return new.replace(b":", b"-") if b"-" in address else new
    if kind == "short guid":
        return b"0200:0000:%04x:%04x" % (number >> 16 & 0xFFFF, number & 0xFFFF)
    return b"%s::%x" % (b"fe80" if kind == "link-local" else b"fd00", number)


def _ipv4(addresses: Iterable[bytes]) -> dict[bytes, bytes]:
    """Numbers of networks and hosts in them, in their order, below a head that tells the kind."""
    told = {address: tuple(map(int, address.split(b"."))) for address in addresses}
    apart = {address: octets for address, octets in told.items() if not _stays(octets)}
    heads = {address: _head(octets) for address, octets in apart.items()}
    children: dict[tuple[int, ...], set[int]] = defaultdict(set)
    for address, octets in apart.items():
        for depth in range(heads[address], 4):
            children[octets[:depth]].add(octets[depth])
    places = {
        prefix: {octet: place for place, octet in enumerate(sorted(below), 1)} for prefix, below in children.items()
    }
    names = {}
    for address, octets in apart.items():
        head = heads[address]
        if head:
            parts = [*octets[:head], *(places[octets[:depth]][octets[depth]] % 256 for depth in range(head, 4))]
            names[address] = b".".join(b"%d" % part for part in parts)
    public = sorted(address for address, head in heads.items() if not head)
    for number, address in enumerate(sorted(public, key=lambda address: apart[address]), 1):
        # The shared address space of RFC 6598: nobody's, and not private either.
        names[address] = b"100.%d.%d.%d" % (64 + (number >> 16 & 63), number >> 8 & 255, number & 255)
    return names


def _head(octets: tuple[int, ...]) -> int:
    """How many octets stay because they say that an address is private."""
    address = ipaddress.IPv4Address(bytes(octets))
    if not address.is_private:
        return 0
    return 1 if octets[0] == 10 else 2


def _stays(octets: tuple[int, ...]) -> bool:
    address = ipaddress.IPv4Address(bytes(octets))
    return (
        address.is_loopback
        or address.is_link_local
        or address.is_multicast
        or octets[0] in (0, 255)
        or octets[:2] == (172, 17)
    )
