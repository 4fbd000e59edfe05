"""The limits of HTTP/2 fit together."""

from collector.web.http2.head import HEAD_BYTES
from collector.web.http2.site import Bounds
from collector.web.messages import Limits


def test_the_bounds_fit_together() -> None:
    """The largest message goes through without a word of ours, on a stream and on its connection; peers' first window, too."""
    bounds, limits = Bounds(), Limits()
    assert 65_535 <= limits.body_bytes + 5 < bounds.stream_window < bounds.connection_window // 2 < 2**30
    assert 16_384 <= bounds.frame < 2**24
    assert bounds.head_list > HEAD_BYTES
    assert bounds.goodbye < bounds.age_grace < bounds.age
