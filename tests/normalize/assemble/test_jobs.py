"""Which spans are jobs, and what belongs to whom."""

from collector.tree import Job
from tests.normalize.spans import agent, asks, chat, job, row, runs, says, told, tool, user

WORKFLOW = {"gen_ai.operation.name": "invoke_workflow"}


def shape(root: Job) -> tuple[str | None, list[object]]:
    """A job's agent and what is below it."""
    return (root.agent, [shape(child) for child in root.jobs])


def test_a_container_around_one_job_is_no_job() -> None:
    """A workflow with a single agent in it merely lends what it knows."""
    root = job(row("w", {**WORKFLOW, "tracegrade.job.constraints": ["be kind"]}), agent("a", parent="w"))
    assert shape(root) == ("support", [])
    assert root.constraints == ["be kind"]
    assert root.spans == ["w", "a"]


def test_a_container_around_several_jobs_is_their_parent() -> None:
    """A workflow of two agents is a job without a name above them."""
    root = job(row("w", WORKFLOW), agent("a", "one", parent="w"), agent("b", "two", parent="w"))
    assert shape(root) == (None, [("one", []), ("two", [])])


def test_an_agent_within_itself_is_one_job() -> None:
    """A hosting wrapper's span around the agent's own span is the same job."""
    root = job(agent("outer"), agent("inner", parent="outer"), chat("m", parent="inner"))
    assert shape(root) == ("support", [])
    assert len(root.model_calls) == 1


def test_an_agent_that_calls_itself_through_a_tool_is_two_jobs() -> None:
    """An agent of the same name below a tool call of its own is a child."""
    root = job(agent("a"), chat("m", parent="a"), tool("t", "again", "c1", parent="a"), agent("b", parent="t"))
    assert shape(root) == ("support", [("support", [])])


def test_activity_without_a_job_span_is_a_synthetic_job() -> None:
    """A bare model call with its tool is a job that no span names."""
    root = job(row("http"), chat("m", [user("hi")], [says("Hello")], parent="http"))
    assert (root.synthetic, root.agent, root.input, root.reply) == (True, None, "hi", "Hello")


def test_a_service_name_is_no_agent_name() -> None:
    """What the resource calls itself never becomes an agent's name."""
    assert job(chat("m")).agent is None


def test_traces_without_agent_activity_are_no_runs() -> None:
    """HTTP and database spans are noise."""
    assert runs(row("http", {"http.request.method": "GET"}), row("db", parent="http")) == []


def test_two_jobs_beside_each_other_are_two_runs() -> None:
    """Two agents below a server's span, one after the other, did two things."""
    found = runs(row("http"), agent("a", "one", parent="http"), agent("b", "two", parent="http"))
    assert [run.root.agent for run in found] == ["one", "two"]


def test_a_span_belongs_to_the_nearest_job_above_it() -> None:
    """A model call below a child is the child's, whatever steps lie between."""
    root = job(agent("a"), agent("b", "child", parent="a"), row("step", parent="b"), chat("m", parent="step"))
    assert (len(root.model_calls), len(root.jobs[0].model_calls)) == (0, 1)


def test_a_missing_parent_is_told() -> None:
    """A job below a span that is not there knows that something above it is lost; below a remote one that is normal."""
    lost = job(agent("a", parent="lost"), chat("m", [user("x")], [says("y")], parent="a"))
    remote = job(agent("a", parent="lost", flags=0x300), chat("m", [user("x")], [says("y")], parent="a"))
    assert (lost.capture["tools"].state, lost.capture["tools"].reasons) == ("partial", ["parent_missing"])
    assert remote.capture["tools"].state == "present"


def test_the_runs_own_key_finds_a_span_that_lost_its_place() -> None:
    """Pydantic AI writes the run's id on every span: it decides where the parent chain leads nowhere."""
    key = {"gen_ai.agent.call.id": "run-1"}
    rows = [
        agent("a", "support", key, scope="pydantic-ai"),
        chat("m", [user("x")], [says("y")], key, parent="lost", scope="pydantic-ai"),
    ]
    (run,) = runs(*rows)
    assert len(run.root.model_calls) == 1


def test_activity_below_a_missing_span_is_a_job_of_its_own_with_what_it_started() -> None:
    """Nobody knows whose it was: it is not given to the job that it called, whose words would become another's."""
    root = job(
        chat("m", [user("x")], [says("Mine.")], parent="lost"),
        tool("t", "ask", "c1", parent="lost"),
        agent("b", "child", parent="t"),
        chat("n", [user("y")], [says("Its.")], parent="b"),
    )
    assert (root.synthetic, root.reply, shape(root)) == (True, "Mine.", (None, [("child", [])]))
    assert root.jobs[0].reply == "Its."


def test_a_gap_in_a_trace_is_told_by_every_job_of_that_time() -> None:
    """A missing step may have held calls of any job that was running: none of them can prove its list."""
    rows = [
        agent("a"),
        chat("m", [user("x")], [says("y")], parent="a"),
        tool("t", "look", parent="lost", start=3000, end=3100),
    ]
    found = {r.root.agent: r.root.capture["tools"] for r in runs(rows[0], {**rows[1], "end_ns": 9000}, rows[2])}
    assert (found["support"].state, found["support"].reasons) == ("partial", ["parent_missing"])


def test_a_container_of_nothing_is_no_run() -> None:
    """A workflow span whose agents are not there tells of no work; one that failed, or that says something, does."""
    assert runs(row("w", WORKFLOW)) == []
    assert [run.root.status for run in runs(row("w", WORKFLOW, error="no model"))] == ["failed"]


def test_an_agent_that_was_asked_for_below_a_lost_agent_is_its_child() -> None:
    """The agent's own span is lost; what its model asked for by name is not another run."""
    ask = asks(("c1", "clerk", {}))
    (found,) = runs(
        row("s", {}, parent="gone"),
        chat("m", [user("hi")], [ask], parent="s"),
        agent("b", "clerk", parent="s"),
        chat("n", [user("hi"), ask, told("c1", "ok")], [says("Done.")], parent="gone"),
    )
    assert (found.root.synthetic, shape(found.root)) == (True, (None, [("clerk", [])]))
