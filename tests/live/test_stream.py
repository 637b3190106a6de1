"""The stream of a session's changes, from the server as it runs."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.live.conftest import CODE, Serve, Served
from tests.live.stories import FOLDER, SESSION, Mirror, add, cold, files, now_ms, rows_of, story
from tests.transcripts import Call, Transcript
from waterglass.payload import encode
from waterglass.server import connection, follow, stream

WRITER = """
import sys, time
path, pause = sys.argv[1], float(sys.argv[2])
data = sys.stdin.buffer.read()
with open(path, "ab", buffering=0) as out:
    for at in range(0, len(data), 700):  # through the middle of lines and letters
        out.write(data[at : at + 700])
        time.sleep(pause)
"""


def main(served: Served) -> Path:
    return served.root / FOLDER / f"{SESSION}.jsonl"


def calls(first: int, last: int) -> bytes:
    """Calls with their results, seconds old."""
    t = Transcript(SESSION)
    t.at(now_ms() - 30_000).prompt("Go")
    prompt = t.content() if first == 0 else b""
    t.lines.clear()
    t._count = 10_000 * (first + 1)
    for n in range(first, last):
        t.at("+10ms").reply(None, [Call("Bash", {"command": f"echo {n}"}, id=f"toolu_{n}")])
        t.at("+10ms").result(f"toolu_{n}", str(n))
    return prompt + t.content()


def ids(messages: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for message in messages for row in message["rows"]]


def has(*wanted: str) -> Any:
    """Is a message the first that names all of these rows?"""
    seen: set[str] = set()

    def done(message: dict[str, Any]) -> bool:
        seen.update(row["id"] for row in message["rows"])
        return seen.issuperset(wanted)

    return done


def test_rows_that_another_process_writes_arrive_and_add_up_to_a_reading_from_scratch(serve: Serve) -> None:
    served = serve()
    whole = files(story(now_ms()), served.root)
    first = main(served)
    add(first, whole[first][:400])
    left = whole.pop(first)[400:]
    payload = served.payload(SESSION)
    client = served.follow(SESSION, f"?from={payload['event']}")
    mirror = Mirror(payload, rows_of(cold(served.root)))
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(first), "0.05"], stdin=subprocess.PIPE)
    assert writer.stdin is not None
    writer.stdin.write(left)
    writer.stdin.close()
    for path, data in whole.items():
        time.sleep(0.1)
        add(path, data)
    assert writer.wait(30) == 0
    scratch = cold(served.root)
    rows, head = rows_of(scratch), json.loads(encode(scratch.head(now_ms())))
    deadline = time.monotonic() + 20
    while (mirror.rows, {n: mirror.payload[n] for n in head}) != (rows, head) and time.monotonic() < deadline:
        mirror.take(client.next())
    assert mirror.rows == rows
    assert {name: mirror.payload[name] for name in head} == head


def test_a_sub_agent_appears_while_it_runs(serve: Serve) -> None:
    served = serve()
    whole = files(story(now_ms()), served.root)
    add(main(served), whole.pop(main(served)))
    payload = served.payload(SESSION)
    client = served.follow(SESSION, f"?from={payload['event']}")
    for path, data in whole.items():
        add(path, data)
    rows = {row["id"]: row for message in client.until(has("toolu_grep")) for row in message["rows"]}
    deadline = time.monotonic() + 10
    while rows["toolu_grep"]["depth"] < 2 and time.monotonic() < deadline:
        rows |= {row["id"]: row for row in client.next()["rows"]}
    assert rows["toolu_grep"]["parentAgentId"] == "toolu_inner"


def test_a_half_line_is_no_row_until_it_is_whole(serve: Serve) -> None:
    served = serve()
    add(main(served), calls(0, 1))
    client = served.follow(SESSION, f"?from={served.payload(SESSION)['event']}")
    line = calls(1, 2)
    add(main(served), line[:300])
    assert ids([client.next()]) == []
    add(main(served), line[300:])
    assert "toolu_1" in ids(client.until(has("toolu_1")))


@pytest.mark.parametrize("how", ["cut", "replaced", "deleted"])
def test_a_file_that_is_no_longer_the_same_is_a_reset(serve: Serve, how: str) -> None:
    served = serve()
    add(main(served), calls(0, 3))
    client = served.follow(SESSION, f"?from={served.payload(SESSION)['event']}")
    if how == "cut":
        main(served).write_bytes(calls(0, 1) + calls(5, 9))
    elif how == "replaced":
        other = main(served).with_suffix(".other")
        other.write_bytes(calls(0, 1) + calls(5, 9))
        os.replace(other, main(served))
    else:
        main(served).unlink()
        gone = client.next()
        assert gone["gone"] and not gone["reset"]
        assert served.get(f"/api/sessions/{SESSION}")[0] == 404
        add(main(served), calls(0, 1) + calls(5, 9))
    client.until(lambda message: message["reset"])
    assert served.payload(SESSION)["table"]["columns"]["id"][-1] == "toolu_8"


def test_a_client_that_comes_back_gets_what_it_missed_and_nothing_twice(serve: Serve) -> None:
    served = serve()
    add(main(served), calls(0, 1))
    client = served.follow(SESSION, f"?from={served.payload(SESSION)['event']}")
    add(main(served), calls(1, 2))
    client.until(lambda message: ("toolu_1", "ok") in {(row["id"], row["outcome"]) for row in message["rows"]})
    last = client.id
    client.close()
    add(main(served), calls(2, 4))
    again = served.follow(SESSION, Last_Event_ID=last)
    assert set(ids(again.until(has("toolu_2", "toolu_3")))) == {"toolu_2", "toolu_3"}


@pytest.mark.parametrize("named", ["ffffffff.3", "nonsense", ".", "ffffffff.", "1" * 5000, "\N{SUPERSCRIPT TWO}"])
def test_a_state_that_is_not_known_is_a_reset(serve: Serve, named: str) -> None:
    served = serve()
    add(main(served), calls(0, 1))
    served.payload(SESSION)
    client = served.follow(SESSION, Last_Event_ID=named.encode().decode("latin-1"))
    message = client.next()
    assert message["reset"] and message["rows"] == [] and message["head"]["session"]["id"] == SESSION


def test_a_client_that_names_no_state_begins_where_the_session_was_served_last(serve: Serve) -> None:
    served = serve()
    add(main(served), calls(0, 1))
    served.payload(SESSION)
    add(main(served), calls(1, 2))
    assert "toolu_1" in ids(served.follow(SESSION).until(has("toolu_1")))


def test_a_session_that_rests_has_a_stream_too(serve: Serve) -> None:
    served = serve()
    add(main(served), story().content())
    served.payload(SESSION)
    client = served.follow(SESSION)
    late = Transcript(SESSION)
    late._count = 900
    late.at(now_ms()).reply(None, [Call("Bash", {"command": "echo again"}, id="toolu_again")])
    add(main(served), late.content())
    messages = client.until(has("toolu_again"))
    assert messages[-1]["head"]["session"]["state"] == "live"


def test_without_news_of_changes_they_are_found_by_looking(serve: Serve) -> None:
    served = serve(watched=False)
    add(main(served), calls(0, 1))
    client = served.follow(SESSION, f"?from={served.payload(SESSION)['event']}")
    add(main(served), calls(1, 2))
    began = time.monotonic()
    client.until(has("toolu_1"))
    assert time.monotonic() - began < 5


def test_a_client_that_does_not_read_gets_one_message_and_holds_up_nobody(serve: Serve) -> None:
    served = serve()
    add(main(served), calls(0, 1))
    state = served.payload(SESSION)["event"]
    frozen, quick = (served.follow(SESSION, f"?from={state}") for _ in "ab")
    for n in range(1, 6):
        add(main(served), calls(n * 100, n * 100 + 100))
        quick.until(has(f"toolu_{n * 100 + 99}"))
    # Its connection takes some megabytes; what has no room there is not queued but made when there is.
    assert set(ids(frozen.until(has("toolu_100", "toolu_599")))) >= {f"toolu_{n}" for n in range(100, 600)}


def test_a_client_that_does_not_read_for_long_is_let_go(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "WRITE_S", 0.5)
    served = serve()
    add(main(served), calls(0, 1))
    served.payload(SESSION)
    with socket.socket() as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.connect(("127.0.0.1", served.port))
        made.sendall(
            f"GET /api/sessions/{SESSION}/changes HTTP/1.1\r\nHost: localhost\r\n"
            f"Cookie: waterglass-{served.port}={CODE}\r\n\r\n".encode()
        )
        deadline = time.monotonic() + 30
        reached, n = False, 1
        following = served.app.follow
        while time.monotonic() < deadline:
            clients = following._clients
            reached = reached or clients == 1
            if reached and clients == 0:
                break
            add(main(served), calls(n * 200, n * 200 + 200))
            n += 1
            time.sleep(0.1)
        assert reached and following._clients == 0


def test_a_client_that_leaves_is_forgotten(serve: Serve) -> None:
    served = serve()
    add(main(served), calls(0, 1))
    served.payload(SESSION)
    following = served.app.follow
    for _ in range(20):
        served.follow(SESSION).close()
    deadline = time.monotonic() + 10
    while following._clients and time.monotonic() < deadline:
        time.sleep(0.05)
    assert following._clients == 0 and following._followed == {}


def test_more_clients_than_there_is_room_for_are_told_so(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "MOST_CLIENTS", 2)
    served = serve()
    add(main(served), calls(0, 1))
    served.payload(SESSION)
    clients = [served.follow(SESSION) for _ in range(2)]
    status, body = served.get(f"/api/sessions/{SESSION}/changes")
    assert status == 503 and body["error"]["what"]
    assert [client.answer.status for client in clients] == [200, 200]


def test_a_quiet_stream_shows_that_it_is_there(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT_S", 0.1)
    served = serve()
    add(main(served), calls(0, 1))
    client = served.follow(SESSION, f"?from={served.payload(SESSION)['event']}")
    for _ in range(3):
        client.beat()
    add(main(served), calls(1, 2))
    client.until(has("toolu_1"))


def test_the_stream_obeys_the_rules_of_every_route(serve: Serve) -> None:
    served = serve()
    add(main(served), calls(0, 1))
    served.payload(SESSION)
    client = served.follow(SESSION)
    assert client.answer.headers["content-type"].startswith("text/event-stream")
    assert client.answer.headers["cache-control"] == "no-store"
    assert client.answer.headers["x-content-type-options"] == "nosniff"
    assert served.follow(SESSION, Cookie="").answer.status == 401
    assert served.follow(SESSION, Origin="http://evil.example").answer.status == 403
    assert served.follow("nobody").answer.status == 404
    assert served.get(f"/api/sessions/{SESSION}/changes", "HEAD") == (200, None)
    assert served.get(f"/api/sessions/{SESSION}/changes", "POST")[0] == 405


def test_a_session_becomes_idle_by_itself(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = [0]
    monkeypatch.setattr("waterglass.server.app._now_ms", lambda: now_ms() + ahead[0])
    served = serve()
    add(main(served), story().content())
    client = served.follow(SESSION, f"?from={served.payload(SESSION)['event']}")
    late = Transcript(SESSION)
    late._count = 900
    late.at(now_ms()).reply(None, [Call("Bash", {"command": "sleep 9999"}, id="toolu_long")])
    add(main(served), late.content())
    messages = client.until(has("toolu_long"))
    ahead[0] = 11 * 60_000
    messages += client.until(lambda message: message["head"]["session"]["state"] == "idle")
    assert [row["outcome"] for m in messages for row in m["rows"] if row["id"] == "toolu_long"] == [
        "running",
        "no_result",
    ]


def test_the_list_shows_sessions_that_come_and_grow(serve: Serve) -> None:
    served = serve()
    add(main(served), calls(0, 1))
    deadline = time.monotonic() + 20
    answer = served.get("/api/sessions")[1]
    while not (answer["complete"] and answer["sessions"]) and time.monotonic() < deadline:
        time.sleep(0.1)
        answer = served.get("/api/sessions")[1]
    assert answer["sessions"][0]["toolCalls"] == 1
    revision, seen = answer["revision"], {}
    add(main(served), calls(1, 2))
    add(served.root / "-code-new" / "5e551044-0000-4000-8000-0000000000ff.jsonl", calls(0, 1))
    while time.monotonic() < deadline and (len(seen) < 2 or seen[SESSION]["toolCalls"] != 2):
        answer = served.get(f"/api/sessions?after={revision}")[1]
        seen |= {session["id"]: session for session in answer["sessions"]}
        time.sleep(0.1)
    assert seen[SESSION]["toolCalls"] == 2 and len(seen) == 2
