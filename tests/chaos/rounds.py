"""The ways to maltreat a collector: each a function of a folder and a source of chance, that plays one round and asserts.

A second round in the same folder goes on with the store of the first, but where the store was destroyed.
"""

import contextlib
import random
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from collector.answer.local import LocalStore
from collector.answer.open_store import connect
from collector.store.care.checkup import check
from collector.store.care.recovery import recover
from collector.store.errors import Damaged, RefusedStatement, StoreError
from collector.store.file.database import Database
from collector.store.writing.writer import Writer
from tests.chaos.collector import SPANS, assert_kept, end_all, join, start, traces
from tests.chaos.disk import Disk
from tests.crash.load import CONNECTIONS, Body, Load, bodies, spool_bytes, spooled
from tests.store.rows import span, spans

MIB = 1 << 20
LARGE = 1000
"""Spans of each body of a burst."""

STORM = 16
"""Connections of a storm."""

Round = Callable[[Path, random.Random], str]
"""Plays one round and says in a few words what happened."""


def kill(folder: Path, chance: random.Random) -> str:
    """SIGKILL at a random moment of a load, then the same requests again."""
    store, load = folder / "a.duckdb", Load(deque(bodies(60, SPANS)))
    collector = start(store)
    senders = load.send(collector.port)
    load.wait(chance.randint(1, 50), senders)
    time.sleep(chance.random() * 0.02)
    collector.kill()
    join(senders)
    at_kill = len(load.acknowledged)
    stored = len(assert_kept(store, load))
    _send_again(store, load)
    return f"killed after {at_kill} answers, {stored} requests stored"


def kill_in_checkpoint(folder: Path, chance: random.Random) -> str:
    """SIGKILL while the log is being written into the file, which nothing else touches."""
    store, load = folder / "a.duckdb", Load(deque(bodies(250, SPANS)))
    collector = start(store, log_bytes=MIB // 4)
    senders = load.send(collector.port)
    load.wait(10, senders)
    before, began = store.stat(), time.monotonic()
    while (now := store.stat()).st_mtime_ns == before.st_mtime_ns and any(s.is_alive() for s in senders):
        time.sleep(0.0005)  # there is nothing to wait on: the file system tells when it is asked
    time.sleep(chance.random() * 0.03)
    collector.kill()
    join(senders)
    assert_kept(store, load)
    caught = now.st_mtime_ns != before.st_mtime_ns
    _send_again(store, load)
    return f"killed {'in a checkpoint' if caught else 'without one'} after {time.monotonic() - began:.1f} s"


def kill_with_spool(folder: Path, chance: random.Random) -> str:
    """SIGKILL while requests are answered from the spool, since statements of readers put checkpoints off."""
    store, load = folder / "a.duckdb", Load(deque(bodies(600, SPANS)))
    collector = start(store, log_bytes=MIB // 4)
    reading = threading.Thread(target=_read_slowly, args=(store,))
    reading.start()
    senders = load.send(collector.port)
    load.wait(chance.randint(5, 60), senders)
    waited = time.monotonic() + 20
    while not spooled(store) and any(s.is_alive() for s in senders) and time.monotonic() < waited:
        time.sleep(0.0005)
    time.sleep(chance.random() * 0.02)
    collector.kill()
    join([*senders, reading])
    at_kill, kept = len(load.acknowledged), len(spooled(store))
    assert_kept(store, load)
    _send_again(store, load)
    assert not spooled(store)
    return f"killed after {at_kill} answers, {kept} requests in the spool"


def kill_in_a_burst(folder: Path, chance: random.Random) -> str:
    """SIGKILL while more comes than the database takes in small groups: answers are from the spool then, commits large."""
    store, load = folder / "a.duckdb", Load(deque(bodies(200, LARGE)))
    collector = start(store)
    senders = load.send(collector.port)
    while not spool_bytes(store) and any(s.is_alive() for s in senders):
        time.sleep(0.001)
    time.sleep(chance.random())
    collector.kill()
    join(senders)
    at_kill, kept = len(load.acknowledged), len(spooled(store))
    stored = len(assert_kept(store, load, LARGE))
    _send_again(store, load, LARGE)
    return f"killed after {at_kill} answers, {stored} requests stored, {kept} in the spool"


def _read_slowly(store: Path) -> None:
    """One statement after the other that takes a while, until nobody answers."""
    try:
        with connect(store) as reader:
            while True:
                with contextlib.suppress(RefusedStatement):  # it took too long, as it should
                    reader.sql("SELECT sum(length(a.name || b.name)) FROM spans a, spans b", seconds=1)
    except StoreError:
        return


def disk_full(folder: Path, chance: random.Random) -> str:
    """The disk is filled while requests come, and given back: refusals meanwhile, success afterwards, no restart."""
    with Disk(folder, 48 * MIB) as disk:
        store, load = disk.folder / "a.duckdb", Load(deque(bodies(400, SPANS)))
        guarded = chance.random() < 0.5
        collector = start(store, folder / "log.txt", log_bytes=MIB, free_disk_bytes=12 * MIB if guarded else 0)
        disk.watch(collector.process.pid)
        senders = load.send(collector.port)
        load.wait(chance.randint(5, 60), senders)
        disk.fill(chance.choice((64 << 10, MIB // 2, MIB)))  # it is the next commit that fails, or the next checkpoint
        refused = load.busy
        load.wait_until(lambda: load.busy > refused + 20, senders)
        stopped_at = len(load.acknowledged)
        disk.give_back()
        load.wait(400, senders)
        join(senders)
        assert len(load.acknowledged) == 400, (
            f"it did not come back after {stopped_at}: {collector.log.read_text()[-1500:]}"
        )
        collector.kill() if chance.random() < 0.5 else collector.stop()
        assert_kept(store, load)
        return (
            f"{disk.how}, {'guarded' if guarded else 'unguarded'}: refused at {stopped_at} answers, all 400 in the end"
        )


def exchanged(folder: Path, chance: random.Random) -> str:
    """The file is replaced or removed under the collector: no answer is false, and what was open is put back."""
    store, load = _fresh(folder) / "a.duckdb", Load(deque(bodies(4000, SPANS)))
    collector = start(store, log_bytes=MIB // 4)
    senders = load.send(collector.port)
    load.wait(chance.randint(5, 150), senders)
    how = chance.choice(("replaced by another store", "overwritten by a rename", "removed"))
    other = store.with_name("other")
    if how == "replaced by another store":
        Database(other).close()
        other.replace(store)
    elif how == "overwritten by a rename":
        other.write_text("shopping list")
        other.replace(store)
    else:
        store.unlink()
    refused = load.busy
    load.wait_until(lambda: load.busy > refused + 20, senders)
    load.stopped = True
    join(senders)
    collector.kill()
    kept = next(folder.glob("store/quarantine/*"))
    stored = traces(kept / store.name)
    assert load.acknowledged <= stored.keys() | spooled(kept / store.name), "an answer was false"
    _refused_at_start(store)
    store.unlink(missing_ok=True)
    for file in kept.iterdir():
        shutil.copy(file, store.parent)
    load.stopped, load.waiting = False, deque(list(load.waiting)[:50])
    _send_again(store, load)
    return f"{how} after {len(load.acknowledged)} answers; all of them were in the copy"


def cut(folder: Path, chance: random.Random) -> str:
    """The file is cut under the collector: no answer is false from then on, and what is lost is told to the commit.

    Where nothing was, nothing is lost, and the collector goes on.
    """
    store, load = _fresh(folder) / "a.duckdb", Load(deque(bodies(4000, SPANS)))
    collector = start(store, log_bytes=MIB // 4)
    senders = load.send(collector.port)
    load.wait(chance.randint(20, 150), senders)
    with store.open("rb+") as file:
        file.truncate(chance.randrange(store.stat().st_size))
    refused, before = load.busy, len(load.acknowledged)
    load.wait_until(lambda: load.busy > refused + 20, senders)
    load.stopped = True
    join(senders)
    collector.kill()
    answered = len(load.acknowledged)
    found = [finding for finding in check(str(store)) if finding.state == "wrong"]
    if not found:  # what was cut off was free: all that was acknowledged must be there
        assert_kept(store, load)
        return f"cut after {answered} answers, where nothing was"
    assert answered - before <= CONNECTIONS, (
        f"{answered - before} answers after the cut, of which {CONNECTIONS} were under way"
    )
    done = recover(str(store))
    stored = traces(store) if store.exists() else {}
    missing = sum(SPANS - stored.get(trace, 0) for trace in load.acknowledged - spooled(store))
    told = (done.loss.spans or 0 if done.loss else 0) + done.unreadable.get("evidence.spans", 0)
    assert told >= missing, f"{missing} acknowledged spans are lost, and only {told} are told"
    with LocalStore(store) as opened:
        assert opened.ingest(spans(span(1, chance.randrange(1 << 60)))).result().stored == 1
    wrong = [finding for finding in check(str(store)) if finding.state == "wrong"]
    assert not wrong, wrong
    return f"cut after {answered} answers ({done.how}): {missing:,} acknowledged spans lost, {told:,} told to be"


def clock(folder: Path, chance: random.Random) -> str:
    """The clock jumps back and forth between commits: order, identity and ledger do not depend on it."""
    path = folder / "a.duckdb"
    times = [chance.randrange(1, 2**62) for _ in range(500)]
    base = chance.randrange(1, 2**40)
    for attempt in range(2):
        with LocalStore(path) as store:
            store.writer.close()
            writer = Writer(store.database, clock=lambda: chance.choice(times))
            with ThreadPoolExecutor(4) as pool:
                sent = [spans(*(span(base + n, i) for i in range(SPANS))) for n in range(30)]
                receipts = [f.result() for f in pool.map(writer.submit, sent)]
            writer.close()
            assert sum(r.stored for r in receipts) == (30 * SPANS if attempt == 0 else 0)
            assert sum(r.duplicates for r in receipts) == (0 if attempt == 0 else 30 * SPANS)
    load = Load(deque(), acknowledged={f"{base + n:032x}" for n in range(30)})
    assert_kept(path, load)
    return "30 requests, then the same again"


def storm(folder: Path, chance: random.Random) -> str:
    """The same requests from 16 connections at once, some with every span twice, with a kill in between."""
    store, sent = folder / "a.duckdb", bodies(12, SPANS)
    doubled = [
        Body(b.trace_id, b.data + b.data) for b in sent
    ]  # of a protobuf message written twice the lists are joined
    load = Load(deque())
    for ending in ("kill", "stop"):
        collector = start(store)
        storms = [Load(deque(chance.sample(sent + doubled, len(sent) * 2)), load.acknowledged) for _ in range(STORM)]
        senders = [sender for one in storms for sender in one.send(collector.port, 1)]
        if ending == "kill":
            load.wait(chance.randint(1, 12), senders)
            collector.kill()
        join(senders)
        if ending == "stop":
            collector.stop()
            assert len(load.acknowledged) == 12
            assert not any(one.waiting for one in storms)
        load.refused += [status for one in storms for status in one.refused]
        assert_kept(store, load)
    return f"{STORM} connections, {len(sent) * 2} requests each, twice"


def _send_again(store: Path, load: Load, spans: int = SPANS) -> None:
    collector = start(store)
    join(load.send(collector.port))
    collector.stop()
    assert not load.waiting
    assert_kept(store, load, spans)


def _refused_at_start(store: Path) -> None:
    try:
        Database(store).close()
    except Damaged:
        return
    raise AssertionError("a store that is not what was acknowledged was opened without a word")


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder / "store", ignore_errors=True)
    (folder / "store").mkdir()
    return folder / "store"


KINDS: dict[str, Round] = {
    "kill": kill,
    "kill in a checkpoint": kill_in_checkpoint,
    "kill with a spool": kill_with_spool,
    "kill in a burst": kill_in_a_burst,
    "disk full": disk_full,
    "file exchanged": exchanged,
    "file cut": cut,
    "clock set back": clock,
    "storm of duplicates": storm,
}


def play(kind: str, folder: Path, chance: random.Random) -> str:
    """One round of a kind. Nothing runs afterwards, however it ended."""
    try:
        return KINDS[kind](folder, chance)
    finally:
        end_all()
