"""Runs of 11 spans and a suite of ten checks that they all pass, for the bench of grading."""

from collections.abc import Iterator

from tests.grader.spans import Trace

SPANS = 11

SUITE = """
tracegrade: 1
suite: bench
cases:
  - name: refunds
    request: Refund order A-1234
    expect:
      - called: orders.lookup
        with: { order_id: A-1234 }
      - called: payments.refund
        times: 1
        state: executed
        with: { amount: { $between: [0, 50] }, order_id: { $from: orders.lookup.result.order_id } }
      - in_order: [orders.lookup, payments.refund]
      - every: payments.refund
        preceded_by: orders.lookup
      - not_called: [email.send]
      - limits: { tool_calls: 8, same_call: 1, model_calls: 6, seconds: 30 }
      - captured: [tools, tool_args]
      - reply: { contains: ["3-5 business days"], excludes: [guarantee] }
      - status: completed
      - child: summarizer
        expect: [{ called: notes.write, scope: job }]
"""


def bodies(runs: int, start: int) -> Iterator[bytes]:
    """Export requests, one a run, a millisecond apart. `start`: nanoseconds since the epoch."""
    for number in range(1, runs + 1):
        yield _run(number, start + number * 1_000_000).body()


def _run(number: int, start: int) -> Trace:
    """An agent with four model calls and three tool calls, one of which hands over to a second agent with one of each."""
    trace = Trace(number, "bench", start)
    order, refund = {"order_id": "A-1234"}, {"order_id": "A-1234", "amount": 50}
    handed, note = {"to": "summarizer"}, {"text": "refunded"}
    reply = "Your refund arrives within 3-5 business days."
    trace.agent(1, "support", seconds=20, asked="Refund order A-1234", reply=reply)
    trace.model(2, 1, {3: ("orders.lookup", order)}, at=1)
    trace.tool(3, 1, "orders.lookup", order, {"order_id": "A-1234", "total": 50}, at=2)
    trace.model(4, 1, {5: ("payments.refund", refund)}, at=4)
    trace.tool(5, 1, "payments.refund", refund, {"ok": True}, at=5)
    trace.model(6, 1, {7: ("notes.delegate", handed)}, at=7)
    trace.tool(7, 1, "notes.delegate", handed, "noted", at=9)
    trace.agent(8, "summarizer", at=9, seconds=0.9, asked="Summarize", reply="noted", parent=7)
    trace.model(9, 8, {10: ("notes.write", note)}, at=9.1)
    trace.tool(10, 8, "notes.write", note, "ok", at=9.3)
    trace.model(11, 1, {}, at=15)
    return trace
