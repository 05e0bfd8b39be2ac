"""Lines in the records that collectors write around them."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

BEGIN = datetime(2026, 3, 5, 10, tzinfo=UTC)


class Written(NamedTuple):
    text: str
    """Without its newline."""
    at: datetime


Lines = Sequence[Written]


def written(texts: Sequence[str]) -> list[Written]:
    """Lines that were written one after the other."""
    return [Written(text, BEGIN + timedelta(milliseconds=20 * place)) for place, text in enumerate(texts)]


def stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.%f") + "Z"


def _milliseconds(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def _docker(line: str, at: datetime, stream: str, end: str = "\n") -> str:
    # Go escapes what HTML would read.
    text = json.dumps(line + end, ensure_ascii=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return f'{{"log":{text},"stream":"{stream}","time":"{stamp(at)}"}}\n'


def docker(lines: Lines) -> str:
    return "".join(_docker(line, at, "stderr") for line, at in lines)


def docker_in_parts(lines: Lines) -> str:
    """Every third line in two parts, the two streams in turn."""
    records = []
    for place, (line, at) in enumerate(lines):
        stream = ("stdout", "stderr")[place % 2]
        if place % 3 == 0:
            records.append(_docker(line[: len(line) // 2], at, stream, ""))
            line = line[len(line) // 2 :]
        records.append(_docker(line, at, stream))
    return "".join(records)


def cri(lines: Lines) -> str:
    return "".join(f"{stamp(at)} stderr F {line}\n" for line, at in lines)


def cri_in_parts(lines: Lines) -> str:
    records = []
    for place, (line, at) in enumerate(lines):
        half = len(line) // 2
        if place % 3 == 0:
            records.append(f"{stamp(at)} stdout P {line[:half]}\n{stamp(at)} stdout F {line[half:]}\n")
        else:
            records.append(f"{stamp(at)} stdout F {line}\n")
    return "".join(records)


def fluent(lines: Lines) -> str:
    """Fluent Bit around a container's log."""
    return "".join(
        json.dumps({"time": stamp(at), "stream": "stderr", "_p": "F", "log": line}) + "\n" for line, at in lines
    )


def fluent_around_docker(lines: Lines) -> str:
    return "".join(
        json.dumps({"date": at.timestamp(), "log": _docker(line, at, "stdout")}) + "\n" for line, at in lines
    )


def journald(lines: Lines) -> str:
    return "".join(
        json.dumps(
            {
                "__CURSOR": f"s=ab;i={place:x}",
                "__REALTIME_TIMESTAMP": str(_milliseconds(at) * 1000),
                "_TRANSPORT": "stdout",
                "PRIORITY": "6",
                "SYSLOG_IDENTIFIER": "train",
                # What journald takes for no text comes as an array of bytes.
                "MESSAGE": line if line.isprintable() and line else list(line.encode()) or "",
            }
        )
        + "\n"
        for place, (line, at) in enumerate(lines)
    )


def journald_export(lines: Lines) -> bytes:
    entries = b""
    for place, (line, at) in enumerate(lines):
        text = line.encode()
        entries += f"__CURSOR=s=ab;i={place:x}\n__REALTIME_TIMESTAMP={_milliseconds(at) * 1000}\n".encode()
        entries += b"PRIORITY=6\n"
        if line.isprintable():
            entries += b"MESSAGE=" + text + b"\n\n"
        else:
            entries += b"MESSAGE\n" + len(text).to_bytes(8, "little") + text + b"\n\n"
    return entries


def _events(lines: Lines) -> list[dict[str, object]]:
    return [
        {"logStreamName": "train/default/0a1b", "timestamp": _milliseconds(at), "message": line, "eventId": str(place)}
        for place, (line, at) in enumerate(lines)
    ]


def cloudwatch(lines: Lines) -> str:
    """``aws logs filter-log-events``."""
    return json.dumps({"events": _events(lines), "searchedLogStreams": []}, indent=4) + "\n"


def cloudwatch_on_one_line(lines: Lines) -> str:
    return json.dumps({"events": _events(lines), "nextForwardToken": "f/1"})


def cloudwatch_array(lines: Lines) -> str:
    return json.dumps(_events(lines), indent=2, ensure_ascii=False) + "\n"


def insights(lines: Lines) -> str:
    """The console's CSV, newest first."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["@timestamp", "@message", "@logStream"])
    for line, at in reversed(lines):
        rows.writerow([stamp(at)[:23].replace("T", " "), line, "train/default/0a1b"])
    return text.getvalue()


def loki(lines: Lines) -> str:
    """``query_range``: newest first."""
    values = [[str(_milliseconds(at) * 10**6), line] for line, at in lines]
    streams = [{"stream": {"job": "train"}, "values": values[::-1]}]
    return json.dumps({"status": "success", "data": {"resultType": "streams", "result": streams, "stats": {}}})


def logcli(lines: Lines) -> str:
    """``logcli query --output=jsonl``, newest first."""
    records = [
        json.dumps({"labels": {"job": "train"}, "line": line, "timestamp": stamp(at)}) + "\n" for line, at in lines
    ]
    return "".join(reversed(records))


def grafana(lines: Lines) -> str:
    """What Explore downloads as JSON, newest first."""
    records = [
        {
            "line": line,
            "timestamp": str(_milliseconds(at) * 10**6),
            "date": stamp(at),
            "fields": {"job": "train"},
        }
        for line, at in lines
    ]
    return json.dumps(records[::-1])


def cloud_logging(lines: Lines) -> str:
    """``gcloud logging read --format json``, newest first as without ``--order``."""
    records = [
        {
            "insertId": f"a{place}",
            "labels": {"k8s-pod/job": "train"},
            "resource": {"labels": {"cluster_name": "c", "location": "europe-west4"}, "type": "k8s_container"},
            "severity": "ERROR",
            "textPayload": line + "\n",
            "timestamp": stamp(at),
        }
        for place, (line, at) in enumerate(lines)
    ]
    return json.dumps(records[::-1], indent=2) + "\n"


def elasticsearch(lines: Lines) -> str:
    hits = [
        {"_index": "logs", "_id": str(place), "_source": {"@timestamp": stamp(at), "message": line}}
        for place, (line, at) in enumerate(lines)
    ]
    return json.dumps({"took": 3, "timed_out": False, "hits": {"total": {"value": len(hits)}, "hits": hits}})


def logger(lines: Lines) -> str:
    """python-json-logger."""
    return "".join(
        json.dumps({"asctime": stamp(at), "levelname": "INFO", "name": "train", "message": line}) + "\n"
        for line, at in lines
    )


def zap_in_cri(lines: Lines) -> str:
    records = logger(lines).splitlines()
    return "".join(f"{stamp(at)} stderr F {record}\n" for (_, at), record in zip(lines, records, strict=True))


def logfmt(lines: Lines) -> str:
    return "".join(f"time={stamp(at)} level=info msg={json.dumps(line, ensure_ascii=False)}\n" for line, at in lines)


WRAPPERS: dict[str, tuple[str, Callable[[Lines], str | bytes]]] = {
    "docker": ("docker", docker),
    "docker, in parts": ("docker", docker_in_parts),
    "CRI": ("cri", cri),
    "CRI, in parts": ("cri", cri_in_parts),
    "CRI around a JSON logger": ("cri", zap_in_cri),
    "Fluent Bit": ("json", fluent),
    "Fluent Bit around docker": ("json", fluent_around_docker),
    "journald": ("json", journald),
    "journald's export": ("journal-export", journald_export),
    "CloudWatch": ("json-document", cloudwatch),
    "CloudWatch on one line": ("json-document", cloudwatch_on_one_line),
    "CloudWatch array": ("json-document", cloudwatch_array),
    "Logs Insights": ("csv", insights),
    "Loki": ("json-document", loki),
    "logcli": ("json", logcli),
    "Grafana": ("json-document", grafana),
    "Cloud Logging": ("json-document", cloud_logging),
    "Elasticsearch": ("json-document", elasticsearch),
    "a JSON logger": ("json", logger),
    "logfmt": ("logfmt", logfmt),
}
"""The name of the layout, and what wraps lines in it."""


def wrapped(name: str, lines: Lines) -> bytes:
    data = WRAPPERS[name][1](lines)
    return data if isinstance(data, bytes) else data.encode()
