"""The OpenTelemetry Collector's configuration: documented keys only, and it fits compose.yaml.

Keys are those of version 0.159 (otelcol-contrib): otlp receiver, memory_limiter, otlp_http with confighttp, exporterhelper's
queue and retry, file_storage and bearertokenauth.
"""

from typing import Any

from tests.docker.files import check_keys, read

CONFIG = read("otelcol.yaml")
SERVICES = read("compose.yaml")["services"]
KNOWN: dict[str, Any] = {
    "extensions": {
        "file_storage": {
            "directory": None,
            "timeout": None,
            "fsync": None,
            "create_directory": None,
            "compaction": {"on_start": None, "on_rebound": None, "directory": None, "cleanup_on_start": None},
        },
        "bearertokenauth": {"scheme": None, "header": None, "filename": None},
    },
    "receivers": {
        "otlp": {"protocols": {"grpc": {"endpoint": None, "max_recv_msg_size_mib": None}, "http": {"endpoint": None}}}
    },
    "processors": {"memory_limiter": {"check_interval": None, "limit_mib": None, "spike_limit_mib": None}},
    "exporters": {
        "otlp_http/tracegrade": {
            "endpoint": None,
            "auth": {"authenticator": None},
            "compression": None,
            "timeout": None,
            "retry_on_failure": {
                "enabled": None,
                "initial_interval": None,
                "max_interval": None,
                "max_elapsed_time": None,
            },
            "sending_queue": {
                "enabled": None,
                "storage": None,
                "sizer": None,
                "queue_size": None,
                "num_consumers": None,
                "batch": {"flush_timeout": None, "sizer": None, "min_size": None, "max_size": None},
            },
        }
    },
    "service": {"extensions": None, "pipelines": {"*": {"receivers": None, "processors": None, "exporters": None}}},
}
EXPORTER = CONFIG["exporters"]["otlp_http/tracegrade"]


def test_every_key_is_documented():
    """No key that its component does not have: the Collector would not start."""
    check_keys(CONFIG, KNOWN, "otelcol.yaml")


def test_pipelines_use_what_is_defined():
    """Traces and logs go from the receiver through the memory limiter alone to tracegrade; nothing samples."""
    assert set(CONFIG["service"]["pipelines"]) == {"traces", "logs"}
    for pipeline in CONFIG["service"]["pipelines"].values():
        assert pipeline == {
            "receivers": ["otlp"],
            "processors": ["memory_limiter"],
            "exporters": ["otlp_http/tracegrade"],
        }
    assert set(CONFIG["service"]["extensions"]) == set(CONFIG["extensions"])


def test_nothing_is_given_up_and_all_is_on_disk():
    """Retries never end, and the queue lies in the storage that the service has."""
    retry, queue = EXPORTER["retry_on_failure"], EXPORTER["sending_queue"]
    assert (retry["enabled"], retry["max_elapsed_time"], queue["enabled"]) == (True, 0, True)
    assert queue["storage"] in CONFIG["service"]["extensions"]
    assert queue["batch"]["min_size"] <= queue["batch"]["max_size"]


def test_it_fits_the_other_containers():
    """It sends to the service by its name and port, shows the secret that is mounted, and writes to its volume."""
    front = SERVICES["otelcol"]
    assert EXPORTER["endpoint"] == "http://tracegrade:4318"
    assert "tracegrade" in SERVICES
    assert EXPORTER["auth"]["authenticator"] in CONFIG["service"]["extensions"]
    assert CONFIG["extensions"]["bearertokenauth"]["filename"] == "/run/secrets/" + front["secrets"][0]
    storage = CONFIG["extensions"]["file_storage"]
    assert storage["directory"] == storage["compaction"]["directory"] == front["volumes"][1].split(":")[1]
    assert front["command"] == ["--config=" + front["volumes"][0].split(":")[1]]
    for protocol in CONFIG["receivers"]["otlp"]["protocols"].values():
        port = protocol["endpoint"].rpartition(":")[2]
        assert f"127.0.0.1:{port}:{port}" in front["ports"]


def test_it_stays_below_its_memory():
    """The limiter's hard limit leaves room in the container, and Go is told 80 % of it."""
    limiter = CONFIG["processors"]["memory_limiter"]
    assert limiter["limit_mib"] + 50 < int(SERVICES["otelcol"]["mem_limit"].removesuffix("m"))
    assert SERVICES["otelcol"]["environment"]["GOMEMLIMIT"] == f"{limiter['limit_mib'] * 8 // 10}MiB"
    assert limiter["spike_limit_mib"] < limiter["limit_mib"]
