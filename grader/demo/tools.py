"""The example agent's tools: a tiny shop. `payments.refund` fails the first time, which the agent recovers from."""

from typing import Any

ORDERS = {
    "A-1234": {"order_id": "A-1234", "status": "delivered", "total": 50, "reason": "arrived broken"},
    "B-2002": {"order_id": "B-2002", "status": "shipped", "arrives": "Friday"},
    "C-3003": {"order_id": "C-3003", "status": "delivered", "total": 80},
}
failed_once: set[str] = set()


def lookup(order_id: str) -> dict[str, Any]:
    """What the shop knows about an order."""
    return ORDERS[order_id]


def refund(order_id: str, amount: int) -> dict[str, Any]:
    """Pay back; the card network answers at the second try only."""
    if order_id == "A-1234" and order_id not in failed_once:
        failed_once.add(order_id)
        raise TimeoutError("the card network did not answer in time")
    return {"refund_id": f"R-{order_id[2:]}", "amount": amount}


TOOLS = {"orders.lookup": lookup, "payments.refund": refund}
