"""`tracegrade instrument`."""

from collector.cli.instrumentation import snippets
from tests.conftest import Command


def test_alone_it_lists_the_frameworks(tracegrade: Command) -> None:
    """Every snippet has a line with its name and whether content is recorded by default."""
    done = tracegrade("instrument")
    assert done.returncode == 0
    assert {line.split()[0] for line in done.stdout.splitlines()[2:]} == set(snippets())


def test_a_snippet_is_printed_for_the_collectors_address(tracegrade: Command) -> None:
    """Host and ports are those of the settings; all addresses of this machine are called localhost."""
    shown = tracegrade("instrument", "claude-agent-sdk", TRACEGRADE_GRPC_PORT="4999", TRACEGRADE_HOST="0.0.0.0").stdout
    assert shown.startswith("# Claude Code, Claude Agent SDK, instrumentation: built in\n")
    assert "export OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4999\n" in shown
    shown = tracegrade("instrument", "agno", TRACEGRADE_HTTP_PORT="0", TRACEGRADE_HOST="fd00::1").stdout
    assert 'endpoint="http://[fd00::1]:PORT/v1/traces"' in shown


def test_what_is_never_recorded_is_said(tracegrade: Command) -> None:
    """A framework whose traces lack something whatever one does is told with that."""
    assert "Its traces do not hold model calls" in tracegrade("instrument", "crewai").stdout


def test_an_unknown_framework(tracegrade: Command) -> None:
    """The message has the nearest name and the way to the list."""
    done = tracegrade("instrument", "crew-ai")
    assert (done.returncode, done.stdout) == (2, "")
    assert "There is no snippet for crew-ai. Did you mean crewai?" in done.stderr
