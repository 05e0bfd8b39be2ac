"""What the fields of records are called that collectors and loggers write.

Names are in lower case, with the names of the objects around them in front, but for ``AROUND``.
"""

AROUND = frozenset(
    [
        "_source",
        "result",
        "record",
        "jsonpayload",
        "content",
        "content.attributes",
        "attributes",
        "json",
        "fields",
        "labels",
        "line_labels",
    ]
)
"""Objects whose members are the record's own: Elasticsearch's hits, Splunk's results, loguru, Cloud Logging, Datadog,
Loki."""

TEXT = [
    "message",
    "msg",
    "log",
    "_raw",
    "@message",
    "textpayload",
    "line",
    "logentry",
    "logmessage",
    "log_s",
    "body",
    "event",
    "text",
    "short_message",
    "body.stringvalue",
    "rendered_message",
    "@m",
    "event.original",
]
"""The message, the likeliest first."""

EXCEPTION = frozenset(
    [
        "exc_info",
        "exc_text",
        "exception",
        "traceback",
        "stack_trace",
        "stacktrace",
        "stack",
        "stack_info",
        "errorverbose",
        "error",
        "err",
        "error.stack_trace",
        "error.stack",
        "error.message",
        "exception.stacktrace",
        "error_message",
    ]
)
"""Texts that stand beside a message and tell what broke."""

STAMP = [
    "__realtime_timestamp",
    "_source_realtime_timestamp",
    "timestamp",
    "@timestamp",
    "time",
    "ts",
    "asctime",
    "_time",
    "datetime",
    "date",
    "timegenerated",
    "timestamp_t",
    "tsns",
    "time.timestamp",
    "time.repr",
    "@t",
    "eventtime",
    "created",
]

LEVEL = [
    "level",
    "levelname",
    "severity",
    "log.level",
    "level.name",
    "priority",
    "lvl",
    "levelno",
    "loglevel",
    "status",
    "log_level",
]

POD = [
    "kubernetes.pod_name",
    "kubernetes.pod.name",
    "podname",
    "pod_name",
    "pod",
    "k8s.pod.name",
    "resource.labels.pod_name",
    "kubernetes_pod_name",
    "io.kubernetes.pod.name",
    "stream.pod",
    "stream.pod_name",
    "resource.k8s.pod.name",
    "podname_s",
]
"""A pod's name is its host's name (``PathLabel``)."""

HOST = [
    "_hostname",
    "hostname",
    "host",
    "host.name",
    "host.hostname",
    "node",
    "nodename",
    "node_name",
    "kubernetes.host",
    "kubernetes.node_name",
    "kubernetes.node.name",
    "computer",
    "instance",
    "stream.host",
    "stream.hostname",
    "stream.node",
    "stream.instance",
    "resource.labels.node_name",
    "labels.compute.googleapis.com/resource_name",
    "compute.googleapis.com/resource_name",
    "resource.labels.instance_name",
    "roleinstance",
    "container_hostname",
]

STREAM_NAME = ["logstreamname", "@logstream", "log_stream", "logstream", "filename", "stream.filename"]
"""Names that hold the writer's name: CloudWatch's streams, paths of containers' logs."""

RANK = ["rank", "global_rank", "world_rank"]
LOCAL_RANK = ("local_rank", "localrank")
PID = ["_pid", "pid", "process", "process.id", "process.pid", "process_id", "processid"]

WEAK = frozenset(["event", "text", "body"])
"""Texts that may as well be no words of a log."""
STRONG = frozenset([*POD, *HOST, *STREAM_NAME, *LEVEL, *RANK, "date", "tsns", "logger", "stream"])
"""What, beside a time, makes a record of an object that holds one of those."""
WRITER = frozenset([*STAMP, *LEVEL, *POD, *HOST, *STREAM_NAME, *RANK, *LOCAL_RANK, "stream", "logger"])
"""What makes a record of an object that holds any other text."""
