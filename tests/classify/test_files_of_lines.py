"""Which files a shell line changes, and which it only looks at."""

import pytest

from waterglass.shell import judge_line

# The line, what it changes, what it looks at.
FILES = [
    ("cat a.py b.py", [], ["a.py", "b.py"]),
    ("grep -n foo a.py | head", [], ["a.py"]),
    ("sort < a.txt", [], ["a.txt"]),
    ("TOKEN=$(cat token) ./serve", [], ["token"]),
    ("git show HEAD:src/a.py", [], ["src/a.py"]),
    ("sed -n '1,5p' a.py", [], ["a.py"]),
    ("sed -i '' s/a/b/ a.py", ["a.py"], []),
    ("cp a b", ["b"], ["a"]),
    ("cp -r a b c/", ["c/a", "c/b"], ["a", "b"]),
    ("cp -t out a b", ["out"], ["a", "b"]),
    ("mv a b", ["a", "b"], []),
    ("mv src/a.py lib/", ["src/a.py", "lib/a.py"], []),
    ("rm -rf a b", ["a", "b"], []),
    ("sort -o a b", ["a"], ["b"]),
    ("unzip a.zip -d out", ["out"], ["a.zip"]),
    ("patch -p1 < a.diff", [], ["a.diff"]),
    ("dd if=a of=b bs=1k", ["b"], ["a"]),
    ("chmod 755 a.sh", ["a.sh"], []),
    ("tee a.txt < b.txt", ["a.txt"], ["b.txt"]),
    ("tee /tmp/a.log < b.txt", [], ["b.txt"]),
    ("git checkout -- a.py", ["a.py"], []),
    ("git apply a.patch", [], ["a.patch"]),
    ("git mv a b", ["a", "b"], []),
    ("cat > a.py <<'E'\nx\nE", ["a.py"], []),
    ("cat <<E > a.py && cat b\nx\nE", ["a.py"], ["b"]),
    ("cat a > b", ["b"], ["a"]),
    ("{ cat a; cat b; } > c", ["c"], ["a", "b"]),
    ("ruff check --fix src a.py", ["a.py"], []),
    ("perl -pi -e s/a/b/ a.md", ["a.md"], []),
    ("ruby -i -pe 'x' a.rb", ["a.rb"], []),
    # Programs in the line itself.
    ("python3 - <<'E'\nopen('a', 'w').write(open('b').read())\nE", ["a"], ["b"]),
    ("python - <<E\np = 'src/a.py'\ns = open(p).read()\nopen(p, 'w').write(s)\nE", ["src/a.py"], ["src/a.py"]),
    ("python -c \"from pathlib import Path; Path('a').write_text(Path('b').read_text())\"", ["a"], ["b"]),
    ("node -e \"fs.writeFileSync('a.js', fs.readFileSync('b.js'))\"", ["a.js"], ["b.js"]),
    ("python -c 'print(open(name).read())'", [], []),
    # Folders.
    ("cd src && cat a", [], ["src/a"]),
    ("(cd src && cat a); cat b", [], ["src/a", "b"]),
    ("bash -c 'cd src && cat a'; cat b", [], ["src/a", "b"]),
    ("cd src/ && cat /x/a", [], ["/x/a"]),
    ("cd $HOME && cat a", [], []),
    # Names that are no files.
    ("cat $X *.py", [], []),
    ("cat -", [], []),
    ('echo "rm a"', [], []),
    ("pytest tests/a.py", [], []),
    # Windows.
    (r'cat "C:\Data\a.txt"', [], ["C:/Data/a.txt"]),
    (r"cmd /c type src\a.txt", [], ["srca.txt"]),
    (r'cmd /c "copy src\a.txt b.txt"', ["b.txt"], [r"src\a.txt"]),
]  # fmt: skip


@pytest.mark.parametrize(("line", "changed", "looked_at"), FILES)
def test_a_line_tells_what_it_changes_and_what_it_looks_at(line: str, changed: list[str], looked_at: list[str]) -> None:
    facts = judge_line(line)
    assert (list(facts.changed), list(facts.looked_at)) == (changed, looked_at)
    assert set(facts.targets) >= {*changed, *looked_at}


def test_files_in_powershell_are_told_too() -> None:
    facts = judge_line("Copy-Item a.txt b.txt; Get-Content c.txt | Set-Content -Path d.txt", powershell=True)
    assert facts.changed == ("b.txt", "d.txt")
    assert facts.looked_at == ("a.txt", "c.txt")


def test_the_number_of_files_of_a_line_is_bounded() -> None:
    assert len(judge_line("cat " + " ".join(f"f{number}" for number in range(3000))).targets) == 200
