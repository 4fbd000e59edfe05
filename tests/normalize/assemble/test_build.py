"""Drafts → runs."""

from typing import Any

from tests.normalize.spans import Row, agent, chat, job, row, run, runs, says, tool, user


def test_a_run_is_named_after_its_root_span() -> None:
    """Trace and span id of the root job, so that the id is the same for whoever builds it."""
    assert run(agent("a")).id == "t-a"


def test_a_declared_job_id_is_the_runs_id() -> None:
    """`tracegrade.job.id` names a job across traces and retries."""
    assert run(agent("a", "x", {"tracegrade.job.id": "J"})).id == "J"


def test_runs_come_in_start_order() -> None:
    """The earlier root first."""
    found = runs(agent("b", trace="later", start=900), agent("a", trace="earlier", start=100))
    assert [r.root.trace_id for r in found] == ["earlier", "later"]


def test_case_suite_and_batch_may_stand_anywhere_in_the_run() -> None:
    """On the resource, on the root or on any span below it."""
    held = {"test.case.name": "refund", "test.suite.name": "shop"}
    resource = {"service.name": "shop", "tracegrade.batch": "b7"}
    found = run(agent("a", resource=resource), chat("m", [user("x")], [says("y")], held, parent="a"))
    assert (found.case_name, found.suite_name, found.batch, found.service) == ("refund", "shop", "b7", "shop")


def test_a_ci_run_is_a_batch() -> None:
    """`cicd.pipeline.run.id` stands in where no batch is declared."""
    assert run(agent("a", resource={"cicd.pipeline.run.id": "1234"})).batch == "1234"


def test_short_attributes_of_the_root_can_be_selected_by() -> None:
    """Messages and documents are left out of what a suite selects by."""
    found = run(agent("a", "x", {"tenant": "acme", "tries": 2, "prompt": "x" * 999, "list": ["a"]}))
    assert (found.attributes["tenant"], found.attributes["tries"], found.attributes["service.name"]) == (
        "acme",
        2,
        "shop",
    )
    assert not found.attributes.keys() & {"prompt", "list"}


def test_a_run_is_open_until_its_root_has_ended() -> None:
    """A root without an end is running."""
    found = run(agent("a", end=0), chat("m", [user("x")], [says("y")], parent="a"))
    assert (found.open, found.root.status, found.root.ended) == (True, "running", None)
    assert not run(agent("a")).open


def test_the_dialects_that_told_of_it_are_listed() -> None:
    """Each dialect that spoke about any span of the run, once."""
    both = {"openinference.span.kind": "LLM"}
    assert run(agent("a"), chat("m", None, None, both, parent="a")).dialects == ["openinference", "semconv"]


def test_spans_that_no_dialect_claims_are_steps() -> None:
    """A span within a job that nothing knows is counted."""
    assert job(agent("a"), row("s", parent="a"), row("u", parent="s")).steps == 2


def test_jobs_nested_beyond_reason_are_kept_flat() -> None:
    """A thousand agents, each below the one before, are a thousand jobs in a tree that can be written."""
    rows: list[Row] = [agent("a0", "n0")]
    rows += [agent(f"a{i}", f"n{i}", parent=f"a{i - 1}") for i in range(1, 1000)]
    found = run(*rows)
    assert len(list(found.root.walk())) == 1000


def test_equal_facts_have_one_digest_whatever_told_of_them() -> None:
    """A further unclaimed span changes where facts came from, not the facts."""
    rows = [agent("a", start=1, end=99), chat("m", [user("x")], [says("y")], parent="a", start=5, end=9)]
    more = row("s", parent="a", start=6, end=7)
    assert run(*rows).digest == run(*rows, more).digest


def test_skills_and_retrievals_are_told() -> None:
    """A skill read and a retrieval stand in the job with the spans that told of them."""
    documents: dict[str, Any] = {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.retrieval.query.text": "mugs",
        "gen_ai.retrieval.documents": '[{"id": "d1", "score": 0.5}]',
    }
    skill = {"gen_ai.skill.name": "refunds", "gen_ai.skill.source.uri": "file:///s"}
    root = job(
        agent("a"), tool("t", "load_skill", "c1", {}, "text", skill, parent="a"), row("r", documents, parent="a")
    )
    assert [(s.name, s.source, s.declared, s.spans) for s in root.skills] == [("refunds", "file:///s", True, ["t"])]
    assert [(r.query, r.documents, r.spans) for r in root.retrievals] == [("mugs", [{"id": "d1", "score": 0.5}], ["r"])]


def test_a_run_whose_root_is_missing_is_open() -> None:
    """The root ends last and is sent last; until it is there, this is a part of a run. A parent elsewhere is none of ours."""
    assert run(agent("a", parent="to_come")).open
    assert not run(agent("a", parent="elsewhere", flags=0x300)).open
