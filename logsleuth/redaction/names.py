"""Names of hosts and users: which words are such, and what stands in their place.

A host is renamed to what is told to be a host by the same signs, its number is kept (``gpu-a12`` becomes ``host-b12``),
so that lists such as ``gpu-a[12-15]`` mean what they meant and hosts keep their order.
"""

import re
from collections.abc import Callable, Iterable
from string import ascii_lowercase

from logsleuth.ingest.discover import natural_key
from logsleuth.ingest.host_names import is_host_name

WORD = re.compile(
    rb"(?<![\w.-])[A-Za-z][\w-]*\d[\w-]*(?:\.[A-Za-z][\w-]*)*|(?<![\w.-])(?:node|host)-[a-z]{1,2}(?![\w-])"
)
"""Words that may be names of hosts; most are none."""
LISTS = re.compile(rb"(?<![\w.-])([A-Za-z][\w-]{0,60}?)\[(\d{1,5})[\d,-]{0,400}\]")
"""Lists of hosts as SLURM writes them, ``gpu-a[12-15,17]``: what all begin with, and the first number."""
DOMAIN = (
    rb"(?:(?:\.[a-zA-Z0-9-]+)*\.(?:local|localdomain|internal|lan|cluster|com|org|net|edu|gov|io|de|fr|uk|ch|eu|jp|cn)"
    rb"(?![\w-]))"
)
USERS = re.compile(
    rb"/(?:home|Users|users?)/([A-Za-z_][\w.-]{1,31})(?=/)"
    rb"|\b(?:USER|LOGNAME|SLURM_JOB_USER|SUDO_USER|USERNAME)=([A-Za-z_][\w.-]{1,31})"
    rb"|\b(?:uid=\d+|UserId=)\(?([A-Za-z_][\w.-]{1,31})(?=[()])"
    rb"|(?<![\w/])~([a-z_][\w.-]{1,31})(?=/)"
    rb"|\b([a-z_][a-z0-9_.-]{1,31})@(?=[A-Za-z][\w-]*\d[\w-]*[:#$ ])"
)
_OF_NOBODY = frozenset(
    b"root nobody ubuntu user users admin daemon slurm munge ec2-user centos debian opc azureuser jovyan mambauser "
    b"nvidia torch runner build shared common public all data git".split()
)
_PARTS = re.compile(r"(.*?)(\d{0,6})")
_POD = re.compile(r"(.+)-((?:worker|master|launcher|chief|trainer|replica)-\d{1,4})")
_ADDRESS = re.compile(r"ip-(\d{1,3})-(\d{1,3})-(\d{1,3})-(\d{1,3})")


def hosts_in(words: Iterable[bytes]) -> set[str]:
    """The names, without their domains, among words that can hardly be anything else."""
    return {word.decode().partition(".")[0].lower() for word in words if is_host_name(word.decode().lower())}


def users_in(text: bytes) -> set[bytes]:
    """Names of users that stand where only such do."""
    found = {next(filter(None, match.groups())) for match in USERS.finditer(text)}
    return {name for name in found if name.lower() not in _OF_NOBODY}


def renamed_hosts(hosts: Iterable[str], addresses: Callable[[bytes], bytes]) -> dict[bytes, bytes]:
    """What stands in place of each host, by its short name in lower case, and of what is in front of a list of numbers
    (``gpu-a[``). ``addresses`` renames an address."""
    names: dict[bytes, bytes] = {}
    split: dict[str, tuple[str, str]] = {}
    for host in sorted(set(hosts), key=natural_key):
        if match := _ADDRESS.fullmatch(host):
            address = addresses(".".join(match.groups()).encode())
            names[host.encode()] = b"ip-" + address.replace(b".", b"-")
        elif (match := _POD.fullmatch(host)) or (match := _PARTS.fullmatch(host)):
            split[host] = match[1], match[2]
    stems = list(dict.fromkeys((stem, bool(rest)) for stem, rest in split.values()))
    for number, (host, (stem, rest)) in enumerate(split.items(), 1):
        place = stems.index((stem, bool(rest)))
        if rest[:1].isalpha():
            new = f"job-{place + 1}-{rest}"
        elif len(stems) > len(ascii_lowercase):
            new = f"node-{number}"
        else:
            # A name without a hyphen stays so: hyphens may part it from what stands beside it in names of files.
            new_stem = f"host{'' if rest and '-' not in host else '-'}{ascii_lowercase[place]}"
            new = f"{new_stem}{rest or 0}"
            if rest:
                # A list: ``gpu-a[12-15]``.
                names[f"{stem}[".encode()] = f"{new_stem}[".encode()
        names[host.encode()] = new.encode()
    return names


def renamed_users(users: Iterable[bytes]) -> dict[bytes, bytes]:
    """What stands in place of each user."""
    return {user: b"user-%d" % number for number, user in enumerate(sorted(set(users)), 1)}
