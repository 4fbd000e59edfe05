"""The table of outcomes, and the answers' bodies."""

import orjson
import pytest
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import BadRequest, RetryInfo
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from collector.decode import REASONS
from collector.receive import reply
from collector.receive.reply import Answer, Outcome

OUTCOMES = [value for value in vars(reply).values() if isinstance(value, Outcome)]
RETRYABLE_CODES = {
    Code.CANCELLED,
    Code.DEADLINE_EXCEEDED,
    Code.ABORTED,
    Code.OUT_OF_RANGE,
    Code.UNAVAILABLE,
    Code.DATA_LOSS,
    Code.RESOURCE_EXHAUSTED,  # with RetryInfo
}


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda outcome: f"{outcome.grpc}-{outcome.http}")
def test_both_wires_agree_on_retrying(outcome: Outcome):
    """What clients may send again on one wire they may on the other (G-02, H-08)."""
    if outcome.retryable:
        assert outcome.grpc in RETRYABLE_CODES
        assert outcome.http in {429, 502, 503, 504}
    else:
        assert outcome.grpc not in RETRYABLE_CODES - {Code.RESOURCE_EXHAUSTED}
        assert outcome.http not in {429, 502, 503, 504}
    assert outcome.grpc not in {Code.UNKNOWN, Code.INTERNAL}
    assert outcome.clause


def test_full_success_is_empty():
    """Without a message partial_success is unset (C-03)."""
    answer = reply.stored("traces", 5, {}, {})
    assert reply.success_body(answer, "traces", "protobuf") == b""
    assert reply.success_body(answer, "traces", "json") == b"{}"


def test_partial_success_counts():
    """The count is exact, and a string in JSON (C-04, C-05)."""
    answer = reply.stored("logs", 5, {"wrong_type": 2, "value_conflict": 1}, {})
    response = ExportLogsServiceResponse.FromString(reply.success_body(answer, "logs", "protobuf"))
    assert response.partial_success.rejected_log_records == 3
    assert response.partial_success.error_message.startswith(
        "3 of 5 log records rejected: value_conflict=1 wrong_type=2"
    )
    body = orjson.loads(reply.success_body(answer, "logs", "json"))
    assert body["partialSuccess"]["rejectedLogRecords"] == "3"


def test_a_warning_rejects_nothing():
    """A warning is a message with a count of zero (C-05)."""
    answer = reply.stored("traces", 5, {}, {"snake_case": 4})
    response = ExportTraceServiceResponse.FromString(reply.success_body(answer, "traces", "protobuf"))
    assert response.partial_success.rejected_spans == 0
    assert "lowerCamelCase" in response.partial_success.error_message
    assert "rejectedSpans" not in orjson.loads(reply.success_body(answer, "traces", "json"))["partialSuccess"]


def test_all_rejected_is_no_success():
    """Where nothing is fit to be stored the request is refused (C-06), with a hint where it looks like logs (T-03)."""
    answer = reply.stored("traces", 5, {"trace_id_length": 5}, {})
    assert answer.outcome is reply.ALL_REJECTED
    assert "/v1/logs" in answer.message


def test_messages_are_bounded():
    """All reasons at once stay below a kibibyte (C-08)."""
    answer = reply.stored("traces", 10**9, dict.fromkeys(REASONS, 10**6), {})
    assert len(answer.message.encode()) <= 1024


def test_retrying_comes_with_a_time():
    """RetryInfo says one to three seconds (G-06)."""
    answer = reply.retry(reply.BUSY, "busy", 60)
    status = reply.status(answer)
    info = RetryInfo()
    assert status.details[0].Unpack(info)
    assert 1 <= info.retry_delay.ToMilliseconds() / 1000 <= 3
    assert orjson.loads(reply.status_json(answer))["details"][0]["retryDelay"].endswith("s")


def test_refusals_say_what_is_bad():
    """A permanent refusal has BadRequest (G-04, H-06); too large has no details (G-07)."""
    found = BadRequest()
    assert reply.status(Answer(reply.MALFORMED, "broken")).details[0].Unpack(found)
    assert found.field_violations[0].description == "broken"
    assert not reply.status(Answer(reply.TOO_LARGE, "large")).details
    assert orjson.loads(reply.status_json(Answer(reply.TOO_LARGE, "large"))) == {"code": 8, "message": "large"}
