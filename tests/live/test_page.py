"""The page while its session is written, from the program itself."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import WATCH
from tests.browser.look import lines
from tests.browser.start import ARGUMENTS, PATIENCE_MS
from tests.live.stories import FOLDER, SESSION, add, files, now_ms, story
from tests.transcripts import Call, Transcript

pytestmark = pytest.mark.browser
Open = Callable[..., Any]
DEPTHS = """[...document.querySelectorAll('.layer .line')].map((line) =>
  [line.querySelector('.label').textContent, line.getAttribute('aria-level')])"""


class Server:
    """`waterglass serve` in a process of its own; it can end and start again at its port."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        self.root = root
        self.environment = environment
        self.port = ""
        self.address = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        port = ["--port", self.port] if self.port else []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "waterglass", "serve", "--no-open", "--root", str(self.root), *port],
            env={**self.environment, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        assert self.process.stdout is not None
        self.address = re.findall(r"http://\S+", self.process.stdout.readline())[0]
        self.port = re.findall(r":(\d+)/", self.address)[0]
        return self.address

    def stop(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    @property
    def main(self) -> Path:
        return self.root / FOLDER / f"{SESSION}.jsonl"


@pytest.fixture
def server(tmp_path: Path, child_environment: dict[str, str]) -> Iterator[Server]:
    """A server over a session of 40 calls that is live."""
    made = Server(tmp_path / "projects", child_environment)
    add(made.main, calls(0, 40))
    made.start()
    yield made
    made.stop()


@pytest.fixture
def browse(chromium: str, server: Server) -> Iterator[Open]:
    """Open the session in a browser; at the end nothing on the page may have failed."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        context = browser.new_context(viewport={"width": 1440, "height": 700})
        loud: list[str] = []

        def page_of(session: str = SESSION, more: str = "", errors: str = "") -> Any:
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.add_init_script(WATCH)
            page.on("pageerror", lambda e: loud.append(str(e)))
            page.on(
                "console",
                lambda m: (
                    loud.append(m.text) if m.type == "error" and not (errors and re.search(errors, m.text)) else None
                ),
            )
            page.goto(server.address)
            page.locator('html[data-ready="1"]').wait_for(state="attached")
            page.goto(f"{server.address.partition('?')[0]}#v=1&s={session}{more}")
            page.locator(".grid").wait_for()
            return page

        yield page_of
        assert loud == []
        for page in context.pages:
            assert page.evaluate("window.violations ?? []") == []
        browser.close()


def calls(first: int, last: int, *, result: bool = True) -> bytes:
    t = Transcript(SESSION)
    t._count = 10_000 * (first + 1)
    t.at(now_ms() - 60_000 + first * 20)
    if first == 0:
        t.prompt("Go")
    for n in range(first, last):
        t.at("+10ms").reply(None, [Call("Bash", {"command": f"echo {n}"}, id=f"toolu_{n}")])
        if result:
            t.at("+10ms").result(f"toolu_{n}", f"said {n}")
    return t.content()


def end(page: Any) -> None:
    page.locator(".grid").focus()
    page.keyboard.press("End")
    page.evaluate("document.querySelector('.grid .scroller').scrollTop = 1e9")
    page.locator(".livebar.following").wait_for()


def eventually(said: Callable[[], bool], seconds: float = PATIENCE_MS / 1000) -> bool:
    deadline = time.monotonic() + seconds
    while not said() and time.monotonic() < deadline:
        time.sleep(0.05)
    return said()


def test_calls_appear_at_the_end_while_the_page_follows(browse: Open, server: Server) -> None:
    page = browse()
    end(page)
    add(server.main, calls(40, 45))
    page.locator(".status", has_text="45 calls").wait_for()
    assert eventually(lambda: lines(page)[-1] == "echo 44")
    assert page.locator(".livebar").text_content() == "Following"


def test_what_is_looked_at_stays_and_a_button_leads_to_what_is_new(browse: Open, server: Server) -> None:
    page = browse()
    page.evaluate("document.querySelector('.grid .scroller').scrollTop = 0")
    page.locator('.line[aria-rowindex="2"]').wait_for()  # the lines are drawn a frame later
    page.locator(".line", has=page.get_by_text("echo 3", exact=True)).click()
    page.locator(".detailbody", has_text=re.compile("said 3$")).wait_for()
    page.wait_for_url("**row=toolu_3**")
    shown, address = lines(page), page.url
    add(server.main, calls(40, 54))
    page.locator(".livebar", has_text="14 new below").wait_for()
    assert lines(page) == shown
    assert page.locator(".line.selected .label").text_content() == "echo 3"
    assert page.locator(".detailbody", has_text=re.compile("said 3$")).is_visible()
    assert page.url == address
    page.get_by_role("button", name="14 new below").click()
    assert eventually(lambda: lines(page)[-1] == "echo 53")
    page.locator(".livebar.following").wait_for()


def test_a_running_call_ends_where_it_stands_and_its_panel_shows_the_output(browse: Open, server: Server) -> None:
    add(server.main, calls(40, 41, result=False))
    page = browse()
    end(page)
    line = page.locator(".line", has_text="echo 40").first
    assert "running" in line.text_content()
    line.click()
    t = Transcript(SESSION)
    t._count = 999_000
    t.at(now_ms() - 1_000).result("toolu_40", "and that was all")
    add(server.main, t.content())
    page.locator(".detailbody", has_text="and that was all").wait_for()
    page.locator(".line.selected:not(:has-text('running'))").wait_for()  # the line is drawn a frame later
    assert "ok" in page.locator(".line.selected").text_content()


def test_a_filter_and_open_agents_stay_and_new_calls_go_through_them(browse: Open, server: Server) -> None:
    whole = files(story(now_ms()), server.root)
    other = server.root / FOLDER / SESSION
    for path, data in whole.items():
        if path.is_relative_to(other):
            add(path, data)
    add(server.main, whole[server.main])
    page = browse()
    page.get_by_label("Filter").fill("type:bash 4")
    assert eventually(lambda: "of 45 calls" in page.locator(".status").text_content())
    add(server.main, calls(40, 50))
    assert eventually(lambda: "of 55 calls" in page.locator(".status").text_content())
    assert all("4" in name for name in lines(page) if name.startswith("echo"))
    assert page.get_by_label("Filter").input_value() == "type:bash 4"


def test_a_sub_agent_and_its_calls_come_below_the_call_that_started_it(browse: Open, server: Server) -> None:
    whole = files(story(now_ms()), server.root)
    add(server.main, whole.pop(server.main))
    page = browse()
    end(page)
    assert "Grep" not in page.locator(".layer").text_content()
    for path, data in whole.items():
        add(path, data)
    page.locator(".line.agent[aria-expanded]", has_text="look").locator(".sign", has_text="2").wait_for()
    page.keyboard.press("]")
    end(page)
    page.locator(".line", has_text="sluice").wait_for()
    depths = {name.split()[-1]: level for name, level in page.evaluate(DEPTHS)}
    assert int(depths["sluice"]) == int(depths["closer"]) + 1 == int(depths["look"]) + 2


def test_a_body_that_comes_after_the_lines_above_it_grew_is_shown_beside_its_call(browse: Open, server: Server) -> None:
    whole = files(story(now_ms()), server.root)
    add(server.main, whole.pop(server.main))
    page = browse()
    held: list[Any] = []
    page.route("**/rows/*", lambda route: held.append(route))
    with page.expect_request("**/rows/*"):
        page.locator(".line", has_text="pytest tests/test_gate.py").locator(".label").click()
    for path, data in whole.items():
        add(path, data)
    page.locator(".line.agent[aria-expanded]", has_text="look").locator(".sign", has_text="2").wait_for()
    for route in held:
        route.continue_()
    page.locator(".detailbody:not([aria-busy])", has_text="1 failed").wait_for()
    assert "pytest tests/test_gate.py" in page.locator(".detailtitle").text_content()


def test_a_file_that_another_took_the_place_of_is_shown_anew(browse: Open, server: Server) -> None:
    page = browse()
    server.main.write_bytes(calls(0, 1) + calls(70, 75))
    assert eventually(lambda: page.locator(".status").text_content().startswith("6 calls"))
    assert eventually(lambda: "echo 74" in lines(page))


def test_files_that_are_gone_leave_what_is_shown(browse: Open, server: Server) -> None:
    page = browse()
    shown = lines(page)
    server.main.unlink()
    page.locator(".livebar", has_text="The files of this session are gone").wait_for()
    assert lines(page) == shown


def test_a_lost_server_is_said_and_found_again_without_losing_a_row(browse: Open, server: Server) -> None:
    page = browse(errors="ERR_|401")
    end(page)
    code = server.address
    server.stop()
    page.locator(".livebar", has_text="Disconnected, retrying in").wait_for()
    assert "echo 39" in lines(page)
    add(server.main, calls(40, 43))
    server.start()
    assert server.address != code
    page.locator(".livebar", has_text="Open the address that it printed").wait_for()
    fresh = page.context.new_page()
    fresh.goto(server.address)  # the cookie of the new run holds in both
    assert eventually(lambda: lines(page)[-1] == "echo 42", 40)


def test_a_page_in_the_background_goes_on(browse: Open, server: Server) -> None:
    page = browse()
    end(page)
    front = page.context.new_page()
    front.bring_to_front()
    add(server.main, calls(40, 42))
    assert eventually(lambda: "42 calls" in page.locator(".status").text_content())
    page.bring_to_front()
    assert eventually(lambda: lines(page)[-1] == "echo 41")


def test_the_list_shows_a_session_that_begins(browse: Open, server: Server) -> None:
    page = browse()
    page.get_by_role("button", name="Sessions").click()
    page.locator(".shelf").wait_for()
    t = Transcript("5e551044-0000-4000-8000-0000000000aa", cwd="/code/new")
    t.title("Begun just now", "custom")
    t.at(now_ms()).prompt("Hello")
    t.write(server.root)
    assert eventually(lambda: "Begun just now" in lines(page))


def test_the_scorecard_says_that_it_is_older_than_the_session_until_it_is_judged_again(
    server: Server, browse: Open
) -> None:
    page = browse()
    page.locator(".tile").first.wait_for()
    assert not page.locator(".cardage").is_visible()
    add(server.main, calls(40, 42))
    page.locator(".cardage", has_text="the session has grown since").wait_for()
    assert page.locator(".tile").count() == 6
    page.locator(".cardage").wait_for(state="hidden")
