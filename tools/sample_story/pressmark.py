"""Two older sessions: a site for a print shop (2.1.76) and a timetable on Windows (2.0.76)."""

from __future__ import annotations

import base64
import struct
import zlib

from transcripts import Call, Transcript

from .scene import Scene, Step, bash, edit, glob, grep, read, write

SITE = "/Users/mira/Sites/pressmark"
FERRY = "C:\\Users\\mira\\ferrytimes"


def png(size: int = 24) -> str:
    """A small picture (two inks, one over the other) in base64."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b""
    for y in range(size):
        rows += b"\0"
        for x in range(size):
            cyan, red = (x - 9) ** 2 + (y - 12) ** 2 < 64, (x - 15) ** 2 + (y - 12) ** 2 < 64
            rows += bytes(
                (60, 40, 90) if cyan and red else (40, 140, 180) if cyan else (220, 80, 70) if red else [245] * 3
            )
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
    # One stored block by hand: compressors differ between builds of zlib, and the sample must not.
    stored = b"\x78\x01\x01" + struct.pack("<HH", len(rows), 0xFFFF ^ len(rows)) + rows
    data = chunk(b"IDAT", stored + struct.pack(">I", zlib.adler32(rows)))
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + head + data + chunk(b"IEND", b"")).decode()


def todos(*states: str) -> Step:
    names = ("Measure the hero image", "Write responsive sources", "Check in the browser")
    items = [{"content": n, "status": s, "activeForm": n} for n, s in zip(names, states, strict=True)]
    text = "Todos have been modified successfully."
    return Step(Call("TodoWrite", {"todos": items}), text, 0.01, tool_use_result={"oldTodos": [], "newTodos": items})


def gallery() -> Transcript:
    """Slow pictures on a site, with an agent whose messages are repeated in progress records."""
    t = Transcript("9e55a0c0-9a11-4e00-8b00-0000000000b1", cwd=SITE, version="2.1.76", model="claude-sonnet-4-6")
    t.slug, t.branch = "quiet-inking-roller", "gallery"
    s = Scene(t.at("2026-03-05T13:03:10Z"), context=17_800, seed=3)
    t.prompt("The gallery is slow on phones. Make the pictures lighter without a new dependency.")
    s.do(
        glob("src/gallery/*", [f"{SITE}/src/gallery/{n}" for n in ("index.njk", "gallery.css", "lightbox.js")]),
        bash("du -sh src/gallery/img | cut -f1 && ls src/gallery/img | wc -l", "84M\n46", 0.2, "Size of the pictures"),
        text="I'll see how many pictures there are and how they are placed.",
        thinking="Eleventy site; pictures are probably full-size JPEG.",
    )
    s.do(todos("in_progress", "pending", "pending"))
    s.do(read(f"{SITE}/src/gallery/index.njk", '{% for p in prints %}\n<img src="/img/{{ p.file }}">\n{% endfor %}'))
    (scout,) = s.spawn(("Explore", "Find image pipeline", "Where are pictures built, and is an image tool installed?"))
    for step in (
        grep("eleventyImage|sharp", "package.json\n.eleventy.js"),
        read(f"{SITE}/.eleventy.js", "const Image = require('@11ty/eleventy-img');", start=3),
        bash("node -e \"console.log(require('sharp/package.json').version)\"", "0.33.5", 0.6, "Version of sharp"),
    ):
        scout.do(step)
        t.at(scout.t)
        t.agent_progress(scout.started_by, scout.t)
    s.join(
        scout, "Explore", "`@11ty/eleventy-img` is installed and used for posts, not for the gallery. sharp is 0.33.5."
    )
    s.do(
        Step(
            Call(
                "WebFetch",
                {"url": "https://www.11ty.example/docs/image/", "prompt": "How are widths and formats given?"},
            ),
            "Pass `widths` and `formats` to the shortcode; `sizes` is needed when there is more than one width.",
            3.9,
            tool_use_result={"bytes": 91022, "code": 200, "codeText": "OK", "result": "widths, formats, sizes"},
        )
    )
    s.do(todos("completed", "in_progress", "pending"))
    s.do(
        edit(
            f"{SITE}/src/gallery/index.njk",
            '<img src="/img/{{ p.file }}">',
            '{% image p.file, p.title, [400, 800, 1600], ["avif", "jpeg"], "(min-width: 60em) 30em, 100vw" %}',
            at=2,
        )
    )
    s.do(write(f"{SITE}/src/gallery/sizes.json", '{"widths": [400, 800, 1600]}\n'))
    s.do(bash("npx @11ty/eleventy", "Exit code 1\nTemplate error: (index.njk) unable to call `image`", 4.8, "Build"))
    s.do(
        edit(
            f"{SITE}/.eleventy.js",
            "addShortcode('post',",
            "addAsyncShortcode('image', Image.tag);\naddShortcode('post',",
        )
    )
    s.do(bash("npx @11ty/eleventy", "Wrote 61 files in 38.20 seconds (v3.0.0)", 41.3, "Build"))
    s.do(todos("completed", "completed", "in_progress"))
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png()}}
    s.do(
        Step(
            Call("mcp__playwright__browser_take_screenshot", {"filename": "gallery.png", "type": "png"}),
            [{"type": "text", "text": "Took the viewport screenshot"}, picture],
            2.2,
        ),
        text="A look at the page at phone width:",
    )
    s.do(bash("du -sh _site/img | cut -f1", "9.1M", 0.2), todos("completed", "completed", "completed"))
    s.say("The gallery now loads 400 px AVIF on phones: 9.1 MB instead of 84 MB for all pictures. The build is green.")
    t.title("Lighter gallery pictures")
    return t


def timetable() -> Transcript:
    """An older version: the sub-agent's file lies beside the main one."""
    t = Transcript("f3a1e500-2b00-4d00-8c00-0000000000c1", cwd=FERRY, version="2.0.76", branch="main")
    t.model, t.slug = "claude-opus-4-5-20251101", "early-morning-ferry"
    s = Scene(t.at("2026-01-14T07:20:00Z"), context=15_200, seed=5)
    t.prompt("Sunday departures are missing from the printed timetable.")
    s.do(grep("Sunday|sunday", "src\\print.ts\nsrc\\calendar.ts"), text="I'll look for where days are chosen.")
    (scout,) = s.spawn(("Explore", "Trace day selection", "How does print.ts choose the days of a timetable?"))
    scout.do(read(f"{FERRY}\\src\\print.ts", "const days = week.slice(0, 6);", start=48))
    scout.do(bash("git log -1 --format=%s -- src/print.ts", "Print Saturday too", 0.3))
    s.join(scout, "Explore", "print.ts takes `week.slice(0, 6)`: Monday to Saturday.")
    s.do(edit(f"{FERRY}\\src\\print.ts", "week.slice(0, 6)", "week", at=48))
    s.do(bash("npm test", "Exit code 1\n1 failing: prints six columns", 5.2, "Run the tests"))
    s.do(edit(f"{FERRY}\\test\\print.test.ts", "expect(columns).toBe(6)", "expect(columns).toBe(7)", at=14))
    s.do(bash("npm test", "24 passing (3s)", 5.0, "Run the tests"))
    # Nothing checks this last edit: the scorecard has something to show.
    s.do(edit(f"{FERRY}\\src\\print.ts", "fontSize: 9", "fontSize: 8", at=71), text="Seven columns need smaller type.")
    s.say("Done. Sunday is printed again, and the seven columns fit the page.")
    t.summary("Print Sunday departures")
    return t
