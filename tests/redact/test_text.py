"""Redaction of one text: what goes, what stays, how it is named and counted."""

from __future__ import annotations

import base64

import pytest

from waterglass.redact import Redactor

# Cut in two, so that no scanner takes this file for a leak.
GITHUB = "gh" + "p_F4k3aB7xF4k3aB7xF4k3aB7xF4k3aB7xF4k3"
ANTHROPIC = "sk-" + "ant-oat01-" + "aB3-_xYz9" * 11
AWS_SECRET = "wJalrXUtn" + "FEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY"[:31]


def shown(text: str, level: str = "secrets") -> str:
    return Redactor(level).text(text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"my token is {GITHUB} ok", GITHUB),
        (f"colour: gh\x1b[1m{GITHUB[2:]}\x1b[0m", GITHUB[2:]),
        (f"zero \u200b{GITHUB[:9]}\u200b{GITHUB[9:]}", GITHUB[9:]),
        ("export DB_PASSWORD=hunter2", "hunter2"),
        ("password: hunter2fake", "hunter2fake"),
        ("mysql --password sw0rdfish9 -h db", "sw0rdfish9"),
        ("aws_secret_access_key = " + AWS_SECRET, AWS_SECRET),
        ('{"client_secret": "fish and chips", "x": 1}', "fish and chips"),
        ('{\\"client_secret\\": \\"fishandchips1\\"}', "fishandchips1"),
        ("DATABASE_URL=postgres://app:hunter2fake@db.invalid/app", "hunter2fake"),
        ("curl -H 'Authorization: Bearer abcdEFGH1234ijkl' https://x", "abcdEFGH1234ijkl"),
        ("Authorization: Basic bWlyYTpodW50ZXIy", "bWlyYTpodW50ZXIy"),
        ("-H 'Cookie: session=abc123; theme=dark'", "abc123"),
        ("Set-Cookie: sid=deadbeef01; Path=/", "deadbeef01"),
        ("https://api.x/v1?access_token=q1w2e3r4t5&x=1", "q1w2e3r4t5"),
        ("DD_API_KEY=" + "0123456789abcdef" * 2, "0123456789abcdef"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEfake1fake2\nMIIEfake3\n-----END RSA PRIVATE KEY-----", "MIIEfake3"),
        ("-----BEGIN PRIVATE KEY-----\nMIIEfake1fake2fake3fake4\ncut off here", "MIIEfake1"),
        ('k = "-----BEGIN PRIVATE KEY-----\\nMIIEfake1fake2fake3\\n-----END PRIVATE KEY-----"', "MIIEfake1"),
        ("AccountKey=" + "Ab1+" * 21 + "Q==", "Ab1+Ab1+"),
        ("redis-cli -a x; REDIS_PASSWORD='correct horse'", "correct horse"),
    ],
)
def test_a_secret_goes(text: str, secret: str) -> None:
    assert secret in text.replace("\x1b[1m", "").replace("\u200b", "")
    assert secret not in shown(text)
    assert "[REDACTED:" in shown(text)


@pytest.mark.parametrize(
    "text",
    [
        "3f786850e387550fdab836ed7e6dc881de23001b",
        "550e8400-e29b-41d4-a716-446655440000",
        "sk-learn",
        "token count 4096",
        "input_tokens: 123456, max_tokens=4096",
        "password = os.environ['DB_PASSWORD']",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "TOKEN=$TOKEN PASSWORD=${PASSWORD:?} SECRET=$(cat /run/secrets/x)",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-ant-...",
        "ANTHROPIC_API_KEY=sk-ant-...",
        "API_KEY=your-api-key-here",
        "toolu_01A2b3C4d5E6f7G8h9I0j1K2 msg_01A2b3C4d5E6f7G8h9I0j1K2",
        "test_token_refresh_when_expired_returns_new_access_token[a-b]",
        "sha256:" + "0123456789abcdef" * 4,
        '"integrity": "sha512-' + "Ab1+/xYz" * 11 + '=="',
        "api_key = load_key()",
        "def login(password: str, token: str | None = None) -> Secret:",
        "self.token = self.next_token(1)",
        "if token == expected: return secret",
        "grep -rn 'PASSWORD=' .env && echo 'ok 1'",
        "const secret = process.env.SECRET",
        '{"type": "password", "label": "Password", "name": "password"}',
        "The password is required and the secret must be kept.",
        "Authorization: required",
        "nextPageToken: CAUQAA12345 page_token=abc12345",
        "http://localhost:8000/@vite/client",
        "git@github.com:mira/tidepool.git",
        "PWD=/home/mira/code1/x",
        "TOKEN_FILE=/run/secrets/token1 SECRET_NAME=prod/db1",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert shown(text) == text


def test_the_same_value_has_the_same_number_and_another_value_another() -> None:
    redactor = Redactor()
    assert redactor.text("A_PASSWORD=hunter2 B_PASSWORD=hunter2") == (
        "A_PASSWORD=[REDACTED:password#1] B_PASSWORD=[REDACTED:password#1]"
    )
    assert redactor.text("C_PASSWORD=hunter3") == "C_PASSWORD=[REDACTED:password#2]"
    note = redactor.note()
    assert note.pop("engine") in ("re", "re2")
    assert note == {"level": "secrets", "counts": {"password": 3}, "bestEffort": True}


def test_a_text_seen_before_counts_again() -> None:
    redactor = Redactor()
    for _ in range(3):
        redactor.text("A_PASSWORD=hunter2")
    assert redactor.counts == {"password": 3}


def test_a_placeholder_says_nothing_about_the_secret() -> None:
    one, other = Redactor(), Redactor()
    assert one.text("A_PASSWORD=hunter2") == other.text("A_PASSWORD=tr0ub4dor")


def test_off_changes_nothing_and_says_so() -> None:
    redactor = Redactor("off")
    assert redactor.text(GITHUB) == GITHUB
    assert redactor.value({"token": "x1y2z3"}) == {"token": "x1y2z3"}
    assert redactor.note().items() >= {"level": "off", "counts": {}, "bestEffort": True}.items()


def test_another_level_is_refused() -> None:
    with pytest.raises(ValueError, match="secrets, paths, structure, off"):
        Redactor("some")  # type: ignore[arg-type]


def test_a_document_with_escapes_in_a_string_is_read_before_it_is_judged() -> None:
    escaped = "".join(f"\\u{ord(char):04x}" for char in GITHUB)
    result = shown(f'{{"a": {{"b": "{escaped}"}}}}')
    assert escaped not in result
    assert "[REDACTED:github#1]" in result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("/home/mira/code", "/home/[user]/code"),
        ("/Users/mira", "/Users/[user]"),
        (r"C:\Users\mira\x", r"C:\Users\[user]\x"),
        (r"C:\\Users\\mira\\x", r"C:\\Users\\[user]\\x"),
        ("/mnt/c/Users/Mira/x", "/mnt/c/Users/[user]/x"),
        ("-Users-mira-Sites-x", "-Users-[user]-Sites-x"),
        ("C--Users-mira-ferry", "C--Users-[user]-ferry"),
        ("ls /home/mira/x; owner mira mira@example.com", "ls /home/[user]/x; owner [user] [user]@example.com"),
        ("mira@laptop:~$ HOSTNAME=laptop2", "mira@[host]:~$ HOSTNAME=[host]"),
        ("/home/root/x root", "/home/[user]/x root"),
        ("https://x.example/home/index", "https://x.example/home/index"),
        ("git@github.com:mira/x", "git@github.com:mira/x"),
        ("/home/mira/admirable admiral", "/home/[user]/admirable admiral"),
    ],
)
def test_level_paths_hides_who_and_where(text: str, result: str) -> None:
    assert shown(text, "paths") == result


def test_level_paths_hides_secrets_too() -> None:
    assert shown(f"/home/mira/{ANTHROPIC}", "paths") == "/home/[user]/[REDACTED:anthropic#1]"


def test_level_secrets_leaves_paths() -> None:
    assert shown("/home/mira/code") == "/home/mira/code"


def in_numbers(text: str) -> str:
    return "".join(f"\\u{ord(char):04x}" for char in text)


CODED = {
    "in percent": "access_token%3D" + GITHUB + "%26x",
    "in percent, all of it": "https://x/?a=" + "".join(f"%{ord(char):02X}" for char in GITHUB),
    "in percent twice": "https://x/?a=" + "".join(f"%25{ord(char):02x}" for char in GITHUB),
    "in \\u": f"token {in_numbers(GITHUB)} end",
    "in \\u below a backslash": in_numbers(GITHUB).replace("\\", "\\\\"),
    "in \\x": "".join(f"\\x{ord(char):02x}" for char in GITHUB),
    "in HTML numbers": "".join(f"&#{ord(char)};" for char in GITHUB),
    "in HTML hexadecimals": "".join(f"&#x{ord(char):X};" for char in GITHUB),
    "in base64": "see " + base64.b64encode(f"token={GITHUB}".encode()).decode(),
    "in base64, one letter later": "see " + base64.b64encode(f"xtoken={GITHUB}".encode()).decode(),
    "in base64, two letters later": "see " + base64.b64encode(f"xytoken={GITHUB}".encode()).decode(),
    "in base64 for URLs": base64.urlsafe_b64encode(f"??>>{GITHUB}".encode()).decode(),
    "in base64 of a name and a value": base64.b64encode(b"DB_PASSWORD=hunter2fake\n").decode(),
    "in base64 twice": base64.b64encode(base64.b64encode(f"my token is {GITHUB}".encode())).decode(),
    "in base64 on several lines": base64.encodebytes(f"{'a line of text ' * 6}{GITHUB}".encode()).decode(),
    "in base64 behind a path": "/x/" + base64.b64encode(f"token={GITHUB}".encode()).decode(),
    "in hexadecimal": "hex: " + GITHUB.encode().hex(),
    "in capital hexadecimal": GITHUB.encode().hex().upper(),
    "coloured": f"gh\x1b[1mp_\x1b[0m{GITHUB[4:]}",
    "coloured in \\u": f"gh\\u001b[1mp_\\u001b[0m{GITHUB[4:]}",
    "with zero-width characters in \\u": f"{GITHUB[:9]}\\u200b{GITHUB[9:]}",
    "over the end of a line": f"{GITHUB[:20]}\n{GITHUB[20:]} and more",
    "over the ends of lines with a margin": f"  | {GITHUB[:15]}\n  | {GITHUB[15:30]}\n  | {GITHUB[30:]}\n",
}


@pytest.mark.parametrize("text", CODED.values(), ids=CODED.keys())
def test_a_secret_goes_in_whatever_form_it_is_written(text: str) -> None:
    result = shown(text)
    assert "[REDACTED:" in result
    left = "".join(char for char in result if char.isalnum())
    for part in (GITHUB[4:], GITHUB[20:], GITHUB.encode().hex(), base64.b64encode(GITHUB.encode()).decode()[4:40]):
        assert part not in left
        assert part.lower() not in left.lower()


def test_a_long_key_over_the_end_of_a_line_goes_to_its_end_and_words_after_a_whole_one_stay() -> None:
    assert shown(f"{ANTHROPIC[:60]}\n{ANTHROPIC[60:]}\nDone") == "[REDACTED:anthropic#1]\nDone"
    assert shown(f"{GITHUB}\nSomeWordsAfterIt and more") == "[REDACTED:github#1]\nSomeWordsAfterIt and more"
    assert shown(f"{ANTHROPIC}\nAnotherLineOfText") == "[REDACTED:anthropic#1]\nAnotherLineOfText"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('{"name": "API_KEY", "value": "fish and chips"}', "fish and chips"),
        ("- name: DB_PASSWORD\n  value: hunter2fake", "hunter2fake"),
        ("    12→    - name: DB_PASSWORD\n    13→      value: 'hunter two'", "hunter two"),
        ('{\\"key\\": \\"client_secret\\", \\"value\\": \\"fish and chips\\"}', "fish and chips"),
        ('{"name": "sid", "value": "s3ss10n-of-mine", "domain": "x", "httpOnly": true}', "s3ss10n-of-mine"),
        ("machine x.example login mira password hunter2fake", "hunter2fake"),
        ("db.example:5432:app:mira:hunter2fake", "hunter2fake"),
        ("mysql -u app -phunter2fake app", "hunter2fake"),
        ("CREATE USER app WITH PASSWORD 'hunter two'", "hunter two"),
        ("sshpass -p hunter2fake ssh x", "hunter2fake"),
        ("echo hunter2fake | sudo -S ls", "hunter2fake"),
        ("Server=x;Uid=app;Pwd=hunter2fake;", "hunter2fake"),
        ("x.example\tFALSE\t/\tTRUE\t1760000000\tsid\ts3ss10n-of-mine", "s3ss10n-of-mine"),
        ("Authorization: SSWS 00abcDEF1234", "00abcDEF1234"),
    ],
)
def test_a_secret_goes_by_what_stands_around_it(text: str, secret: str) -> None:
    assert secret not in shown(text)
    assert "[REDACTED:" in shown(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "timeout", "value": "30 seconds"}',
        '{"name": "sid", "value": "s3ss10n", "domain": "x"}',
        "data:image/png;base64,iVBORw0KGgo" + base64.b64encode(bytes(range(256)) * 8).decode(),
        base64.b64encode(b"A text about tokens and passwords, without any of them. " * 9).decode(),
        b"A text about tokens and passwords".hex(),
        "https://x.example/a%20b%2Fc?next=%2Fhome%3Ftab%3D2",
        "src/components/AuthenticationTokenProvider/AuthenticationTokenProvider.test.tsx",
        "function a(t,e){return t.token=e.token,t.password!==e.password&&n(t)}var r={key:function(t){return t}};",
        "sk-\nlearn and ghp_\nwith words",
        "'password' => 'required|min:8|confirmed'",
        "password = 'your_password_here', token: 'invalid-token', secret: 'test-secret', api_key='my_api_key'",
        "STRIPE_SECRET_KEY=sk_test_your_key RESEND_API_KEY=re_xxx GH_TOKEN=github_pat_xxxx",
        "Test credentials: `mark@example.com`",
        'if token == "lambda" or token == "def": styles = {Token: "#dcdccc"}',
        '"password": "string?", "privateKey": "bytes?"',
        "# Use `TOKEN=abc...` or set --password <password>",
    ],
)
def test_what_only_looks_like_a_coded_or_named_secret_stays(text: str) -> None:
    assert shown(text) == text


def test_a_value_that_a_name_gave_away_is_found_where_it_has_none() -> None:
    redactor = Redactor()
    value = "q7Rz2Lm9" + "Xc4Vb8Nk"
    assert redactor.text(f"AUTH_SECRET={value}") == "AUTH_SECRET=[REDACTED:secret#1]"
    assert redactor.text(f"it was {value} before") == "it was [REDACTED:secret#1] before"
    assert redactor.again().text(f"it was {value} before") == "it was [REDACTED:secret#1] before"


def test_a_weak_value_that_a_name_gave_away_is_not_looked_for_elsewhere() -> None:
    redactor = Redactor()
    assert redactor.text("DB_PASSWORD=hunter22") == "DB_PASSWORD=[REDACTED:password#1]"
    assert redactor.text("hunter22 is a hound") == "hunter22 is a hound"
