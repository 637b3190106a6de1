"""Every route that the application has, against everybody who could ask: none can be forgotten, since they are taken
from the application itself."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import CODE, PORT, Sessions, TestClient
from waterglass.discover import discover
from waterglass.metrics import Settings
from waterglass.server import Upkeep, make_app
from waterglass.server.access import DROPPED, METHODS, Access

COOKIE = {"cookie": f"waterglass-{PORT}={CODE}"}
SAMPLES = {"session": "one", "key": "toolu_1", "path": "static/page.js"}
OURS = f"http://127.0.0.1:{PORT}"
# Who asks: headers beside the host, and whether a browser that holds the cookie would get anything.
ASKERS = {
    "a person at the address bar": ({"sec-fetch-site": "none"}, True),
    "the page": ({"origin": OURS, "sec-fetch-site": "same-origin"}, True),
    "the page, of a browser that says nothing": ({}, True),
    "a page of another port of this machine": (
        {"origin": "http://127.0.0.1:3000", "sec-fetch-site": "same-site"},
        False,
    ),
    "a script element of another port": ({"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"}, False),
    "a page of the same machine by its other name": ({"origin": f"http://localhost:{PORT}"}, False),
    "a page from elsewhere": ({"origin": "https://evil.example", "sec-fetch-site": "cross-site"}, False),
    "an image element from elsewhere": ({"sec-fetch-site": "cross-site", "sec-fetch-dest": "image"}, False),
    "a frame without an origin": ({"origin": "null"}, False),
    "a page from elsewhere that hides where": ({"origin": ""}, False),
    "two origins, one of them ours": ({"origin": f"{OURS}, https://evil.example"}, False),
}
HOSTS = ["evil.example", f"evil.example:{PORT}", "127.0.0.1.nip.io", "localhost.evil.example", "0.0.0.0", ""]
CHANGING = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"]


def routes_of(app: Any) -> list[str]:
    """Return an address for each route, in the order of the application."""
    found = []
    for route in app.app.routes:
        path = re.sub(r"\{(\w+)(?::\w+)?\}", lambda part: SAMPLES[part[1]], route.path)
        found.append(path)
    return found


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder: Path = tmp_path_factory.mktemp("matrix")
    projects = folder / "projects"
    projects.mkdir()
    upkeep = Upkeep(lambda: discover([str(projects)]), lambda project: Settings(), str(folder / "cache"))
    sessions = Sessions(folder)
    made = make_app(sessions, sessions.load, Access(CODE, PORT, frozenset({"box.example"})), upkeep=upkeep)
    yield made
    made.close()
    upkeep.close()


@pytest.fixture(scope="module")
def routes(app: Any) -> list[str]:
    return [route for route in routes_of(app) if not route.endswith("/changes")]  # it never ends; below on its own


@pytest.fixture
def anybody(app: Any) -> Iterator[TestClient]:
    with_nothing = TestClient(app, base_url=OURS, follow_redirects=False)
    yield with_nothing
    with_nothing.close()


def test_the_routes_are_those_that_the_contract_names_and_some_more(app: Any) -> None:
    found = routes_of(app)
    assert len(found) >= 12
    assert {"/", "/api/sessions", "/api/search", "/api/stats", "/api/sessions/one/changes", DROPPED} <= set(found)


def test_without_the_cookie_no_route_gives_anything_whatever_the_method(app: Any, anybody: TestClient) -> None:
    for route, method in itertools.product(routes_of(app), METHODS):
        answer = anybody.request(method, route)
        assert answer.status_code == 401, (method, route)
        assert "toolu" not in answer.text and "set-cookie" not in answer.headers


@pytest.mark.parametrize("asker", ASKERS)
def test_each_route_answers_our_own_page_and_nobody_elses(routes: list[str], anybody: TestClient, asker: str) -> None:
    headers, served = ASKERS[asker]
    for route in routes:
        if route == "/" and "origin" not in headers:
            continue  # the start page opens from a link anywhere; it holds nothing
        answer = anybody.get(route, headers={**headers, **COOKIE})
        assert (answer.status_code != 403) is served, (route, answer.status_code)
        assert "access-control-allow-origin" not in answer.headers
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("host", HOSTS)
def test_under_another_name_no_route_is_there_even_with_the_cookie(app: Any, anybody: TestClient, host: str) -> None:
    for route, method in itertools.product(routes_of(app), [*METHODS, "POST"]):
        headers = {"host": host, "origin": f"http://{host}", "x-waterglass": "drop", **COOKIE}
        assert anybody.request(method, route, headers=headers).status_code == 403, (method, route)


@pytest.mark.parametrize("method", CHANGING)
def test_no_route_but_that_for_files_takes_another_method(app: Any, anybody: TestClient, method: str) -> None:
    for route in routes_of(app):
        if (method, route) == ("POST", DROPPED):
            continue
        answer = anybody.request(method, route, headers=COOKIE, content=b"x" * 100)
        assert answer.status_code == 405, (method, route)


def test_a_stream_of_changes_is_refused_to_others_as_well(anybody: TestClient) -> None:
    for headers, served in ASKERS.values():
        if not served:
            answer = anybody.get("/api/sessions/one/changes", headers={**headers, **COOKIE})
            assert answer.status_code == 403
    assert anybody.head("/api/sessions/one/changes", headers=COOKIE).status_code == 200


def test_no_refusal_says_where_anything_lies_and_no_answer_holds_the_code(
    app: Any, routes: list[str], anybody: TestClient, tmp_path: Path
) -> None:
    home = str(tmp_path.parent.parent)
    asked = [route for route in routes if route.startswith("/api/")]
    for route in [*asked, "/api/sessions/broken", "/api/sessions/gone", "/api/sessions/..%2f..%2fetc%2fpasswd"]:
        answer = anybody.get(route, headers=COOKIE)
        told = answer.text + str(answer.headers)
        assert CODE not in told and "Traceback" not in told, route
        assert answer.status_code < 400 or home not in told, route


def test_the_code_is_in_no_answer_but_the_cookie_and_in_no_address(anybody: TestClient) -> None:
    answer = anybody.get(f"/?code={CODE}")
    assert CODE not in answer.text and CODE not in answer.headers["location"]
    assert CODE in answer.headers["set-cookie"]


@pytest.mark.parametrize("next_", ["//evil.example/", "/\\evil.example", "https://evil.example", "/%0d%0aX: y"])
def test_nobody_is_sent_elsewhere(anybody: TestClient, next_: str) -> None:
    for path in (next_, f"/?code={CODE}&next={next_}", f"/?next={next_}&code={CODE}#x"):
        answer = anybody.get(f"http://127.0.0.1:{PORT}{path}" if path.startswith("/") else f"/{path}", headers=COOKIE)
        assert answer.headers.get("location", "/") == "/"
        assert "x" not in answer.headers


def test_many_at_once_are_answered_or_refused_and_the_server_goes_on(
    app: Any, routes: list[str], anybody: TestClient
) -> None:
    statuses: list[int] = []

    def ask(route: str) -> None:
        client = TestClient(app, base_url=OURS, follow_redirects=False)
        statuses.append(client.get(route, headers=COOKIE).status_code)

    # Without the two that wait for one another: that goes by one loop, and here each client has its own.
    alone = [route for route in routes if route not in ("/api/search", "/api/stats")]
    threads = [threading.Thread(target=ask, args=(route,)) for route in alone * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert len(statuses) == len(threads)
    assert {status for status in statuses if status >= 500} <= {500, 503}
    assert anybody.get("/api/sessions", headers=COOKIE).status_code == 200
