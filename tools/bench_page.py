"""Measure the page: `python tools/bench_page.py`, with Chromium and the tools of `make test` at hand.

A report of each size is opened from disk, scrolled, zoomed, sorted and filtered. What is printed is the
processor time in scripts, the number of elements, and memory; "painted" alone is by the clock. Nothing is kept.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))

from tests.browser import answers  # noqa: E402 (the made-up sessions of the tests)
from tests.browser.start import ARGUMENTS  # noqa: E402
from waterglass.page import data_block, report_frame  # noqa: E402

NOTE = {"createdMs": 0, "redaction": {"level": "off", "counts": {}}, "texts": {}}
FRAMES = 60
QUERIES = ("type:bash >5s tokens:>1k", "error", '"merge schema" -cache', "zebra")
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))"
TIMED = """async ([what, frames]) => {
  const scroller = document.querySelector('.scroller');
  const next = () => new Promise((done) => requestAnimationFrame(done));
  scroller.scrollTop = 0;
  await next();
  for (let i = 0; i < frames; i++) {
    if (what === 'scroll') scroller.scrollTop += 96;
    else if (what === 'jump') scroller.scrollTop = ((i * 7919) % 1000) / 1000 * scroller.scrollHeight;
    else document.querySelector('.ruler').dispatchEvent(new WheelEvent('wheel', {
      deltaY: i % 20 < 10 ? -60 : 60, ctrlKey: true, clientX: 1000, bubbles: true, cancelable: true }));
    await next();
  }
}"""


def main() -> None:
    """Measure each size and print a line for it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", default="500,10000,50000,200000", help="calls of the sessions, with commas between")
    parser.add_argument("--runs", type=int, default=3, help="of each size; the medians are printed")
    parser.add_argument("--chromium", default=shutil.which("chromium") or "chromium")
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    names = None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        for rows in (int(text) for text in options.rows.split(",")):
            file = report(Path(folder), rows)
            runs = []
            for _ in range(options.runs):
                browser = play.chromium.launch(executable_path=options.chromium, args=ARGUMENTS)
                runs.append(measured(browser, file))
                browser.close()
            if names is None:
                names = list(runs[0])
                print(f"{'calls':>8}", *(f"{name:>14}" for name in names))
            print(
                f"{rows:>8}", *(f"{statistics.median(run[name] for run in runs):>14.1f}" for name in names), flush=True
            )


def report(folder: Path, rows: int) -> Path:
    """Write a report of a made-up session with so many calls."""
    file = folder / f"{rows}.html"
    frame = report_frame()
    payload = answers.large(rows) | {"report": NOTE}
    file.write_text(frame.before + data_block("wg-head", payload) + frame.after, encoding="utf-8")
    return file


def measured(browser: Any, file: Path) -> dict[str, float]:
    """Return what one opening of a report takes: milliseconds, megabytes, elements."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})  # what the processor did, not what it waited
    begun = time.perf_counter()
    page.goto(file.as_uri())
    page.locator(".layer .line").first.wait_for()
    found = {"painted ms": 1000 * (time.perf_counter() - begun), "open script": 1000 * metric(tools, "ScriptDuration")}
    for what in ("scroll", "jump", "zoom"):
        found[f"{what}/frame"] = script(tools, lambda what=what: page.evaluate(TIMED, [what, FRAMES])) / FRAMES
    box = page.get_by_label("Filter calls")
    times = []
    for query in QUERIES:
        times.append(
            script(tools, lambda query=query: (box.fill(query), page.wait_for_timeout(150), page.evaluate(SETTLED)))
        )
    found["filter most"] = max(times)
    box.fill("")
    page.wait_for_timeout(150)
    head = page.get_by_role("columnheader", name="Duration").get_by_role("button")
    found["sort"] = script(tools, lambda: (head.click(), page.evaluate(SETTLED)))
    tools.send("HeapProfiler.collectGarbage")
    found["elements"] = page.evaluate('document.getElementsByTagName("*").length')
    found["heap MB"] = metric(tools, "JSHeapUsedSize") / 1e6
    found["process MB"] = private(browser)
    page.close()
    return found


def metric(tools: Any, name: str) -> float:
    """Return a figure that the browser keeps of a page; times are in seconds."""
    figures = tools.send("Performance.getMetrics")["metrics"]
    return float(next(figure["value"] for figure in figures if figure["name"] == name))


def script(tools: Any, act: Any) -> float:
    """Return the milliseconds in scripts while something is done."""
    before = metric(tools, "ScriptDuration")
    act()
    return 1000 * (metric(tools, "ScriptDuration") - before)


def private(browser: Any) -> float:
    """Return the memory of the page's process in MB, shared pages by their share; 0 where the system does not tell."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    sizes = []
    for process in processes:
        if process["type"] == "renderer":
            try:
                text = Path(f"/proc/{process['id']}/smaps_rollup").read_text(encoding="ascii")
            except OSError:
                continue
            sizes.append(int(text.partition("\nPss:")[2].split()[0]) / 1000)
    return max(sizes, default=0.0)


if __name__ == "__main__":
    main()
