"""Runs graded per second in memory: ten checks over runs of 11 spans, reading the tree from its JSON included.

python tests/bench/grading.py [RUNS]
"""

import sys
import time
from pathlib import Path

from collector import tree_text
from collector.tree import CAPTURE_KINDS, Capture, Delegation, Job, Member, ModelCall, Run, ToolCall
from grader.formats import native
from grader.grading import grade_suite
from grader.sample import Candidate

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
        state: succeeded
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


def example(number: int) -> Run:
    """A root job with three tool calls and four model calls, a child with one of each: 11 spans."""
    start = 1_700_000_000_000_000_000 + number * 1_000_000

    def capture() -> dict[str, Capture]:
        return {kind: Capture("present") for kind in CAPTURE_KINDS}

    def call(name: str, at: int, arguments: object, result: object) -> ToolCall:
        return ToolCall(
            name, call_id=f"call_{number}_{at}", state="succeeded", arguments=arguments, arguments_capture="present",
            requested_arguments=arguments, requested_capture="present", result=result, result_capture="present",
            started=start + at, ended=start + at + 1, spans=[f"{number:012x}{at:04x}"],
        )  # fmt: skip

    def model(at: int) -> ModelCall:
        return ModelCall(
            "model", "provider", input_tokens=900, output_tokens=80, started=start + at, spans=[f"{at:016x}"]
        )

    child = Job(
        f"child-{number}", f"{number:032x}", agent="summarizer", via="tool", delegation=Delegation(mode="waited"),
        status="completed", input="x", reply="y", started=start + 50, ended=start + 60, capture=capture(),
        tool_calls=[call("notes.write", 55, {"text": "…"}, "ok")], model_calls=[model(52)], spans=["c" * 16],
    )  # fmt: skip
    root = Job(
        f"job-{number}", f"{number:032x}", agent="support", status="completed", input="Refund order A-1234",
        reply="Your refund arrives within 3-5 business days.", started=start, ended=start + 100, capture=capture(),
        tool_calls=[
            call("orders.lookup", 10, {"order_id": "A-1234"}, {"order_id": "A-1234", "total": 50}),
            call("payments.refund", 20, {"order_id": "A-1234", "amount": 50}, {"ok": True}),
            call("notes.delegate", 49, {"to": "summarizer"}, "y"),
        ],
        model_calls=[model(5), model(15), model(25), model(70)], jobs=[child], spans=["a" * 16],
    )  # fmt: skip
    return Run(f"job-{number}", root, members=[Member(root.trace_id, "root")], service="bench", capture=capture())


def main(runs: int) -> None:
    """Prints the figures."""
    suite = native.read(Path("bench.yaml"), SUITE)
    texts = [tree_text.to_json(example(n)) for n in range(runs)]
    begin = time.perf_counter()
    for text in texts:
        tree_text.from_json(text)
    read = time.perf_counter()
    grading = grade_suite(suite, (Candidate(tree_text.from_json(t), "digest") for t in texts), id="bench", now=0)
    done = time.perf_counter()
    print(grading.decision.text)
    print(f"{runs / (read - begin):,.0f} trees read/s; {runs / (done - read):,.0f} runs/s read and graded, on one core")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
