"""What another package adds to the store: its own tables and its own fixed queries."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Quotes:
    """How rows of a table quote runs: when such a run is deleted or too old, what quotes it is erased.

    `where` is an SQL condition on a row `t`, with the ids of the runs in `$runs` (a list). `texts` are the columns that lose
    their texts while the row stays, `lists` those of lists of texts; without any the row goes.
    """

    where: str
    texts: Sequence[str] = ()
    lists: Sequence[str] = ()


@dataclass(frozen=True)
class Extension:
    """Tables and queries of one package, registered when the store is opened.

    `name` is also the database schema that holds its tables; only these may be filled through `Store.append`.
    `schema_sql` must be repeatable (CREATE … IF NOT EXISTS). `queries` maps a query's name to its one statement.
    `quotes` says by table what of it may repeat a run's words. `audited` names the tables whose new rows the audit table
    notes, and what it calls them. `lasting` names, by table, the column of a time and the days after which a row goes, when the
    file is written anew; rows of other tables stay.
    """

    name: str
    schema_sql: str = ""
    queries: Mapping[str, str] = field(default_factory=dict)
    quotes: Mapping[str, Quotes] = field(default_factory=dict)
    audited: Mapping[str, str] = field(default_factory=dict)
    lasting: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @property
    def views(self) -> frozenset[str]:
        """Its views in `main`: people read them, so free SQL may, too."""
        return frozenset(re.findall(r"^CREATE OR REPLACE VIEW (\w+) AS", self.schema_sql, re.MULTILINE))
