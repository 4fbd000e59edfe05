"""Fixed, named reads: each on a cursor of its own, so that threads do not wait for each other."""

from typing import Any

import duckdb
import pyarrow as pa

from collector.store import statements
from collector.store.errors import StoreError, Unavailable, UnknownQuery
from collector.store.faults import Fault, classify
from collector.store.file.database import Database


class Reads:
    """The fixed queries of a store and its extensions."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queries = statements.readable(database.extensions)

    def query(self, name: str, **params: Any) -> pa.Table:
        """The rows of one query; parameters that are not given are NULL.

        Raises UnknownQuery for a name or a parameter that does not exist, Unavailable where memory was short or the store
        is being reopened.
        """
        sql = self._queries.get(name)
        if sql is None:
            raise UnknownQuery(f"There is no query {name}; there are {', '.join(sorted(self._queries))}.")
        bound = statements.bind(sql, name, params)
        cursor = self._database.cursor()
        try:
            return cursor.sql(sql, params=bound).to_arrow_table()
        except duckdb.OutOfMemoryException:
            raise Unavailable("The store is short of memory; ask again later.") from None
        except (duckdb.InterruptException, duckdb.ConnectionException):
            raise Unavailable("The store's file was opened anew; ask again later.") from None
        except duckdb.Error as error:
            if classify(error) is Fault.FATAL:
                self._database.failed()
                raise Unavailable("The store is being reopened; ask again later.") from None
            raise StoreError(f"The query {name} failed: {str(error).splitlines()[0]}") from None
        finally:
            cursor.close()
