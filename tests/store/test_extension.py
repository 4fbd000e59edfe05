"""What another package adds."""

from collector.store.extension import Extension


def test_an_extension_may_be_a_name_alone():
    """Tables and queries are optional."""
    assert Extension("mine").queries == {}


def test_views_of_an_extension_are_known_by_name():
    """Free SQL may read what the extension's schema shows to people, and not its tables behind that."""
    schema = (
        "CREATE TABLE IF NOT EXISTS mine.notes (x INTEGER);\nCREATE OR REPLACE VIEW notes AS SELECT * FROM mine.notes;"
    )
    assert Extension("mine", schema).views == {"notes"}
