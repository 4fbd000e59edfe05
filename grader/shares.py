"""Shares and counts in gates: a share is a quoted percentage ("95%"), a count an integer; compared as integers."""

import re
from dataclasses import dataclass, field

_PERCENT = re.compile(r"(\d{1,3})(?:\.(\d{1,6}))?\s*%")


@dataclass(frozen=True, slots=True)
class Share:
    """`top` / `bottom` of something, exactly."""

    top: int
    bottom: int
    text: str = field(compare=False)

    def reached(self, part: int, whole: int) -> bool:
        """Whether part/whole is at least this share; equality passes."""
        return part * self.bottom >= self.top * whole

    def exceeded(self, part: int, whole: int) -> bool:
        """Whether part/whole is more than this share."""
        return part * self.bottom > self.top * whole


@dataclass(frozen=True, slots=True)
class Budget:
    """At most so many (`count`), or at most such a share."""

    count: int | None = None
    share: Share | None = None

    def exceeded(self, part: int, whole: int) -> bool:
        """Whether there are more than allowed."""
        if self.share is not None:
            return self.share.exceeded(part, whole)
        return part > (self.count or 0)

    def tell(self) -> str:
        """For a sentence."""
        return self.share.text if self.share is not None else str(self.count or 0)


def read_share(raw: object) -> Share:
    """A share as an author writes it.

    Raises:
        ValueError: it is not a quoted percentage from 0 to 100.
    """
    found = _PERCENT.fullmatch(raw.strip()) if isinstance(raw, str) else None
    if found is None:
        raise ValueError('a share is a quoted percentage such as "95%"')
    decimals = found[2] or ""
    share = Share(int(found[1] + decimals), 100 * 10 ** len(decimals), raw.strip() if isinstance(raw, str) else "")
    if share.top > share.bottom:
        raise ValueError("a share is at most 100%")
    return share


def read_budget(raw: object) -> Budget:
    """A count or a share.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(raw, int) and not isinstance(raw, bool):
        if raw < 0:
            raise ValueError("a count cannot be negative")
        return Budget(count=raw)
    if not isinstance(raw, str):
        raise ValueError('write a count such as 0, or a quoted percentage such as "5%"')  # noqa: TRY004  pydantic gathers these
    return Budget(share=read_share(raw))
