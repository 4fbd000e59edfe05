"""Gradings as tables beside the traces: the schema, the reads, and the rows that a grading becomes."""

from pathlib import Path

from collector import Extension, Quotes

QUOTES = {
    "gradings": Quotes(
        """
        list_has_any(t.quotes, $runs::VARCHAR[])
        OR t.grading_id IN (
            SELECT c.grading_id FROM grading.check_results c
            WHERE c.run_id IN (SELECT unnest($runs::VARCHAR[])) OR list_has_any(c.quotes, $runs::VARCHAR[])
        )
        OR t.grading_id IN (
            SELECT c.grading_id FROM grading.case_results c WHERE c.run_id IN (SELECT unnest($runs::VARCHAR[]))
        )
        """,
        lists=("reasons",),
    ),
    "check_results": Quotes(
        "t.run_id IN (SELECT unnest($runs::VARCHAR[])) OR list_has_any(t.quotes, $runs::VARCHAR[])", ("sentence",)
    ),
    "case_results": Quotes(
        """
        t.run_id IN (SELECT unnest($runs::VARCHAR[]))
        OR (t.grading_id, t.case_name, t.run_id) IN (
            SELECT (q.grading_id, q.case_name, q.run_id) FROM grading.check_results q
            WHERE list_has_any(q.quotes, $runs::VARCHAR[])
        )
        """,
        ("reason",),
    ),
    "judge_verdicts": Quotes(
        """
        t.verdict_key IN (
            SELECT j.verdict_key FROM grading.judged_runs j WHERE j.run_id IN (SELECT unnest($runs::VARCHAR[]))
        )
        OR t.verdict_key NOT IN (SELECT j.verdict_key FROM grading.judged_runs j)
        """
    ),
    "judged_runs": Quotes("t.run_id IN (SELECT unnest($runs::VARCHAR[]))"),
    "labels": Quotes(
        "t.run_id IN (SELECT unnest($runs::VARCHAR[])) OR t.sample_id IN (SELECT unnest($runs::VARCHAR[]))", ("notes",)
    ),
}
"""What of the tables repeats the words of runs. Verdicts of which nobody knows whose words they hold go with any run."""


def extension() -> Extension:
    """What the store needs to hold and answer gradings; every file in `queries` is a read of its name."""
    folder = Path(__file__).parent
    queries = {f.stem: f.read_text(encoding="utf-8") for f in sorted((folder / "queries").glob("*.sql"))}
    return Extension(
        name="grading",
        schema_sql=(folder / "schema.sql").read_text(encoding="utf-8"),
        queries=queries,
        quotes=QUOTES,
        audited={"labels": "label"},
    )
