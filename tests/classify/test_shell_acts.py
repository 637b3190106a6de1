"""What shell lines do, on lines written for the purpose."""

import pytest

from waterglass.shell import judge_line

ACTS = [
    # Words about checks check nothing.
    ('echo "npm test"', ""),
    ("grep pytest setup.cfg", "search"),
    ('git commit -m "fix tests"', ""),
    ("git commit -m \"$(cat <<'EOF'\nrun pytest\nnpm test\nEOF\n)\"", ""),
    ("cat <<'EOF' > run.sh\npytest\nEOF", "edit"),
    ("# npm test", ""),
    ("pip install pytest", ""),
    ("which pytest", ""),
    ("command -v pytest", ""),
    ("pytest --collect-only -q", ""),
    ("npx jest --listTests", ""),
    ("eslint --version", ""),
    ("npm run dev", ""),
    ("npm run", ""),
    ("npx playwright install chromium", ""),
    ("ls tests/", "read"),
    ("make install", ""),
    ("cargo add serde", ""),
    ("/tmp/unit-test serve", ""),
    # Checks, in many clothes.
    ("pytest -q tests/test_a.py::test_b", "verify:test"),
    ("python3.12 -m pytest", "verify:test"),
    (".venv/bin/pytest -x 2>&1 | tail -5", "verify:test"),
    ("A=1 B=2 npm test -- --run", "verify:test"),
    ("cd web && yarn test:unit", "verify:test"),
    ("sudo -u app timeout -k 5 60 nice -n 5 npm test", "verify:test"),
    ("time nohup uv run --with x pytest &", "verify:test"),
    ("poetry run mypy src", "verify:typecheck"),
    ("npx -y -p typescript tsc --noEmit", "verify:typecheck"),
    ("pnpm --filter web exec vitest run", "verify:test"),
    ("yarn workspace web test", "verify:test"),
    ("npx eslint@9 .", "verify:lint"),
    ('sbt "testOnly a.B"', "verify:test"),
    ("pnpm -C web vitest", "verify:test"),
    ("bash -lc 'cd x && npm run build'", "verify:build"),
    ("bash -c \"bash -c 'pytest'\"", "verify:test"),
    ("docker exec -it -e A=b box sh -c 'go test ./...'", "verify:test"),
    ("docker compose -f ci.yaml exec -T app python manage.py test", "verify:test"),
    ("docker run --rm -v .:/src python:3 pytest", "verify:test"),
    ("kubectl exec -n dev pod-1 -- npm test", "verify:test"),
    ('ssh -p 22 me@host "cd app && make check"', "verify:lint"),
    ("if go vet ./...; then echo ok; fi", "verify:lint"),
    ("result=$(npm test 2>&1); echo $result", "verify:test"),
    ("(cd a && cargo clippy) || exit 1", "verify:lint"),
    ("for d in a b; do (cd $d && cargo +nightly test); done", "verify:test"),
    ("ls *.py | xargs -n 1 python -m py_compile", "verify:syntax"),
    ("find . -name '*.sh' -exec shellcheck {} +", "search verify:lint"),
    ("node --check server.js", "verify:syntax"),
    ("bash -n install.sh", "verify:syntax"),
    ("php -l index.php", "verify:syntax"),
    ("node tests/cart.test.js", "verify:test"),
    ("python scripts/test_login.py", "verify:test"),
    ("./run_tests.sh --fast", "verify:test"),
    ("./build.sh", "verify:build"),
    ("./gradlew :app:testDebugUnitTest", "verify:test"),
    ("mvn -q clean install", "verify:build"),
    ("make -C core -j4", "verify:build"),
    ("make lint test", "verify:lint,test"),
    ("dotnet test && dotnet build", "verify:build,test"),
    ("bundle exec rspec spec/a_spec.rb", "verify:test"),
    ("php artisan test", "verify:test"),
    ("vendor/bin/phpstan analyse", "verify:typecheck"),
    ("mix do credo --strict", ""),
    ("mix test", "verify:test"),
    ("swift build", "verify:build"),
    ("xcodebuild -scheme App -destination 'platform=macOS' test", "verify:test"),
    ("gcc -O2 -o a a.c", "verify:build"),
    ("gcc -fsyntax-only a.c", "verify:syntax"),
    ("cmake --build out", "verify:build"),
    ("terraform validate", "verify:lint"),
    ("docker build -t a .", "verify:build"),
    ("npm run lint -- --fix", "edit verify:lint"),
    ("npm run format:check", "verify:lint"),
    ("npm run type-check", "verify:typecheck"),
    ("mise run fmt && mise run lint", "edit verify:lint"),
    ("prettier --check .", "verify:lint"),
    ("black --check src", "verify:lint"),
    ("ruff check . && ruff format --check .", "verify:lint"),
    ("cargo fmt", "edit"),
    ("cargo fmt -- --check", "verify:lint"),
    # Search.
    ("grep -rn foo src", "search"),
    ("cat a.txt | grep foo", "search"),
    ("ls -la | grep foo | wc -l", "search"),
    ("git show HEAD:a.py | grep def", "search"),
    ("ps aux | grep node", ""),
    ("npm test | grep fail", "verify:test"),
    ("find . -name '*.py' | xargs grep -l foo | head", "search"),
    ("rg --glob '*.ts' foo", "search"),
    ("git grep foo", "search"),
    ("export $(grep -v '^#' .env | xargs) && ./serve", ""),
    ("grep foo < a.txt", "search"),
    # Read.
    ("jq . < a.json", "read"),
    ("cat a.txt", "read"),
    ("sed -n '1,20p' a.c", "read"),
    ("tail -5 a.jsonl | head -1 | jq .", "read"),
    ("ls -la $(which node)", "read"),
    ("git log | head -5", ""),
    ("git diff a.py | head -80", ""),
    ("cat dump.sql | docker exec -i db psql", ""),
    ("TOKEN=$(cat token) ./go", ""),
    # Edit.
    ("rm -rf build", "edit"),
    ("sed -i.bak 's/a/b/' a.py", "edit"),
    ("perl -pi -e 's/a/b/' a.py", "edit"),
    ("echo hi > a.txt", "edit"),
    ("cat a b > c", "edit"),
    ("python3 - <<'E'\nopen('a', 'w').write('x')\nE", "edit"),
    ("serve > /tmp/serve.log 2>&1 &", ""),
    ("npm test 2>&1 | tee /tmp/out.txt", "verify:test"),
    ("ls 2>/dev/null >/dev/null", "read"),
    ("git add . && git push", ""),
    ("git rm --cached a", ""),
    ("git checkout -b fix", ""),
    ("git checkout -- a.py", "edit"),
    # Programs of single languages and houses.
    ("elm-test", "verify:test"),
    ("ocamlformat --check lib/tide.ml", "verify:lint"),
    ("tidy -e index.html", "verify:lint"),
    ("moon run :test", "verify:test"),
    ("moon run web:lint api:typecheck", "verify:lint,typecheck"),
    ("pcregrep -M tide notes", "search"),
    ("ed -s notes <<< w", "edit"),
    ("fastmod tide ebb src", "edit"),
    # Windows.
    (r'cd "C:\Data\" && ls "C:\Data\App\" | grep -i x', "search"),
    ('cmd /c "npm run build"', "verify:build"),
    ('powershell -Command "Get-Content a.txt | Select-String x"', "search"),
    (r"C:\py\python.exe -m pytest", "verify:test"),
]


@pytest.mark.parametrize(("line", "expected"), ACTS)
def test_a_shell_line_has_the_acts_of_its_programs(line: str, expected: str) -> None:
    facts = judge_line(line)
    acts = [act if act != "verify" else f"verify:{','.join(facts.verify_kinds)}" for act in facts.acts]
    assert " ".join(acts) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Get-ChildItem -Recurse -Filter *.cs", "search"),
        ("$x = Get-Content a.txt; Write-Host `\n  $x", "read"),
        ("Get-ChildItem src | Where-Object { $_.Length -gt 5 } | Select-Object Name", "read"),
        ("& 'C:\\tools\\dotnet.exe' test", "verify"),
        ("@'\nnpm test\n'@ | Set-Content a.txt", "edit"),
        ("Remove-Item -Recurse build", "edit"),
    ],
)
def test_a_powershell_line_has_the_acts_of_its_programs(line: str, expected: str) -> None:
    assert " ".join(judge_line(line, powershell=True).acts) == expected


def test_files_of_a_line_are_targets_and_those_it_changes_are_told_apart() -> None:
    facts = judge_line("cd src && cat a.py > b.py && rm $X c.py && grep -n foo ../d.py | head -5")
    assert facts.targets == ("src/a.py", "src/b.py", "src/c.py", "src/../d.py")
    assert facts.changed == ("src/b.py", "src/c.py")
    assert facts.looked_at == ("src/a.py", "src/../d.py")
    assert judge_line("sed -i '' 's/a/b/' x.py && cp y.py z.py").changed == ("x.py", "z.py")
    assert judge_line("pytest -k name tests/a.py::test_b && go test ./...").targets == ("tests/a.py",)
