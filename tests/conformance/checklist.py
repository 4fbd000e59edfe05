"""All items; importing this fills the list."""

from tests.conformance import both, in_json, of_spans, on_the_wire, over_grpc, over_http, reported, reported_values
from tests.conformance.item import ITEMS

FILES = (both, over_grpc, over_http, on_the_wire, in_json, of_spans, reported, reported_values)

__all__ = ["FILES", "ITEMS"]
