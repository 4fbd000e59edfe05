"""What the scripted model says: its turns in order, for each agent and request. A turn calls tools or is the answer."""

from typing import Any, NamedTuple


class Call(NamedTuple):
    """A tool that the model asks for."""

    tool: str
    arguments: dict[str, Any]


Turn = list[Call] | str
BROKEN = "Refund order A-1234, it arrived broken"
WHERE = "Where is order B-2002?"
MIND = "Refund order C-3003, I changed my mind"
MAY = "May A-1234 be refunded? It arrived broken."

CASES = {"refunds after a lookup": BROKEN, "says where an order is": WHERE, "looks before it pays": MIND}
CONSTRAINTS = ["no personal data leaves the EU"]

TURNS: dict[tuple[str, str], list[Turn]] = {
    ("support_agent", BROKEN): [
        [Call("orders.lookup", {"order_id": "A-1234"})],
        [Call("policy.ask", {"question": MAY})],
        [Call("payments.refund", {"order_id": "A-1234", "amount": 50})],
        [Call("payments.refund", {"order_id": "A-1234", "amount": 50})],
        "I refunded 50 EUR as R-1234. It is on your card in 3-5 business days.",
    ],
    ("policy_agent", MAY): [
        [Call("orders.lookup", {"order_id": "A-1234"})],
        "Yes: it arrived broken, so refund it in full.",
    ],
    ("support_agent", WHERE): [
        [Call("orders.lookup", {"order_id": "B-2002"})],
        "It was shipped and arrives on Friday.",
    ],
    # The mistake that the suite finds: this model pays first and looks afterwards.
    ("support_agent", MIND): [
        [Call("payments.refund", {"order_id": "C-3003", "amount": 80})],
        [Call("orders.lookup", {"order_id": "C-3003"})],
        "I refunded 80 EUR as R-3003. It is on your card in 3-5 business days.",
    ],
}
