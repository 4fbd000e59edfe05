"""One job that its framework enters again."""

from tests.normalize.spans import Row, agent, chat, job, row, says, user


def team(*rows: Row) -> list[Row]:
    """A workflow around the rows."""
    return [row("w", {"gen_ai.operation.name": "invoke_workflow"}, name="invoke_workflow team"), *rows]


def handoff(span_id: str, parent: str, target: str) -> Row:
    """A span that hands over to an agent."""
    held = {"gen_ai.operation.name": "handoff", "gen_ai.handoff.to_agent": target}
    return row(span_id, held, parent=parent)


def test_an_agent_that_control_comes_back_to_is_one_job() -> None:
    """It handed off, its worker answered, it answers: one job in two parts, the worker below it."""
    root = job(
        *team(
            agent("a", "triage", parent="w"),
            handoff("h", "a", "refunds"),
            agent("b", "refunds", parent="w"),
            chat("m", [user("hi")], [says("Refunded.")], parent="b"),
            agent("c", "triage", parent="w"),
            chat("n", [user("hi")], [says("All done.")], parent="c"),
        )
    )
    assert (root.agent, root.reply) == ("triage", "All done.")
    assert [child.agent for child in root.jobs] == ["refunds"]


def test_neighbours_of_one_name_stay_two() -> None:
    """Two calls of the same agent without a handoff between them are two jobs."""
    root = job(
        *team(
            agent("a", "worker", parent="w"),
            chat("m", [user("one")], [says("1")], parent="a"),
            agent("b", "worker", parent="w"),
            chat("n", [user("two")], [says("2")], parent="b"),
        )
    )
    assert [child.agent for child in root.jobs] == ["worker", "worker"]
