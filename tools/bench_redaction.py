"""Measure how fast secrets are looked for, by each engine: a part of `make bench`, and a program of its own.

The text is the standard library's source with checksums, ids and base64 between: no line of it holds a secret, and what
only looks like one is there to be tried.
"""

from __future__ import annotations

import base64
import hashlib
import random
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import uuid
from pathlib import Path

MEGABYTES = 8
# Seconds of the processor, so that a busy machine says nearly the same; the rules are loaded before.
_PROGRAM = """
import sys, time
if sys.argv[1] == "re":
    sys.modules["re2"] = None
from waterglass.redact import Redactor
text = open(sys.argv[2], encoding="utf-8").read()
bodies = [{"input": {}, "output": text[at:at + 4_000]} for at in range(0, len(text), 4_000)]
redactor = Redactor()
redactor.value(bodies[:32])
began = time.process_time()
for at in range(0, len(bodies), 256):
    redactor.value(bodies[at:at + 256])
print(time.process_time() - began)
"""


def main(runs: int = 3) -> None:
    """Print megabytes a second for each engine."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text")
        text = made(MEGABYTES * 1_000_000)
        path.write_text(text, encoding="utf-8")
        for engine in ("re2", "re"):
            try:
                seconds = statistics.median(measured(engine, path) for _ in range(runs))
            except subprocess.CalledProcessError:
                raise SystemExit(f"could not measure the engine {engine}") from None
            print(
                f"{f'{MEGABYTES} MB: redaction, {engine}':<34} {seconds:>8.2f} {len(text) / 1e6 / seconds:>5.1f} MB/s"
            )


def measured(engine: str, path: Path) -> float:
    """Return the processor's seconds of one run."""
    done = subprocess.run([sys.executable, "-c", _PROGRAM, engine, str(path)], check=True, capture_output=True)
    return float(done.stdout)


def made(size: int) -> str:
    """Return a text of that many characters, the same on one machine each time."""
    chance, parts, held = random.Random(8), list[str](), 0
    sources = sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))
    for source in sources:
        text = source.read_text(encoding="utf-8", errors="replace")
        noise = [
            hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
            str(uuid.UUID(int=chance.getrandbits(128))),
            base64.b64encode(chance.randbytes(300)).decode(),
        ]
        parts += [text, *noise]
        held += len(text) + sum(map(len, noise))
        if held >= size:
            break
    return "\n".join(parts)[:size]


if __name__ == "__main__":
    main()
