"""Passwords that a table, a line or another language ties to their name, and what only stands in such a place."""

from __future__ import annotations

import pytest

from waterglass.redact import Redactor

# Cut in two, so that no scanner takes this file for a leak.
WORD, MIXED, LONG = "hunt" + "er2x9", "Tr0ub4" + "dor!3", "kX9" + "-mQ2.vB7"

STAYS = {
    "prose": [
        "The password is stored in the vault.",
        "Store the password:\n1password",
        "A password:\nmust have 8 characters or more",
        "Reset your password: see step3 of the guide",
        "Set PASS to skip step2, or PASS=2 to skip both.",
        "the password:\n\n  - has 8 characters\n  - has 1 digit\n",
    ],
    "test runners": [
        "PASS=1 FAIL=0",
        "PASS=118\nFAIL=2\nSKIP=3\n",
        "PASS=true",
        "PASS=yes FAIL=no1234",
        "PASS=$((PASS+1))\nPASS=$PASS1\nexport PASS=$(cat n12345)",
        "PASS=3/4\nPASS=100%\nPASS=12s\nPASS=0.53s\nPASS=120ms\nPASS=3of12\nPASS=12passed",
        "PASS: test_x\nPASS: test_login_2 (0.31s)\nPASS ./a1.test.js",
        "PASS=test_login_2\nPASS=test-login-2x\nPASS=tests/test_a1.py\nPASS=a1b2c3.py",
        "ok 12 PASS=phase2 TIME=3",
        "if [ $PASS = 1a2b3c4d ]; then",
        "PASS=\"$1\"\nPASS=''\nPASS=\n",
        "PASS=2024-03-02\nPASS=2024-03-02T09:00:00Z\nPASS=v1.2.3\nPASS=1.2.3-rc4",
        "opt -passes=mem2reg,sroa1 -S\npass=mem2reg\npass=loop2vec\npass = pass1",
        "BYPASS=1a2b3c4d5e COMPASS=north17east",
        "PASS=0x1f4a PASS=1e9 PASS=64KiB\nPASS=0x1f4a\nPASS=1234567k",
    ],
    "tables about passwords": [
        "| field | type | required |\n|---|---|---|\n| password | string | yes |\n| user | v4rchar | no |",
        "| name | password |\n|---|---|\n| type | string |\n| rule | 8-64 characters |\n| hash | sha256 |",
        "| user | password |\n|---|---|\n| mira | ******** |\n| otto | [REDACTED:password#4] |\n| ida | $DB_PASS1 |",
        "| user | password |\n|---|---|\n| mira | 2024-03-02 |\n| otto | 90days |\n| ida | min8 |\n| jo | v1.2.3 |",
        "| hasher | password |\n|---|---|\n| a | argon2id |\n| b | pbkdf2 |\n| c | SHA-256 |\n| d | bcrypt10 |",
        "| env | password |\n|---|---|\n| prod | POSTGRES_PASSWORD_2 |\n| test | secrets/db1 |\n| ci | get_pw1() |",
        "| user | password changed |\n|---|---|\n| mira | wk23day4 |",
        "| password strength | bits |\n|---|---|\n| weak1a2b | 28bits1 |",
        "| token | tag |\n|---|---|\n| w0rd12x | NN1abc2 |",
        "| secret | used by |\n|---|---|\n| deploy-key2x | ci1runner2 |",
        "cat users | password | sort1k2\ncat a | b1c2d3e4 | c",
        "passwords | count\nweak1a2 | 3a4b5c6",
        " user | password\nmira | x1y2z3w4",  # no rule below it, and no bars at its ends: a pipe of a shell
    ],
    "lists of fields": [
        "user,password\n",
        "username,password,email\nstring,string,string\n",
        "user, password = line.split(',')\nname2x, value2x = a1b2c3d, e4f5g6h",
        "def login(user, password):\n    check(user, abc123def)",
        "SELECT user, password\nFROM users1, roles2x",
        "login(user,password)\ncheck(abc12d,def34g)",
        "import getpass, password\nimport hash1lib, sha256sum",
        "user,password\nmira\notto1a2b\n",
        "user,password\n\nmira,x1y2z3w4",
        "id;password;created\n1;;2024-03-02\n2;null;2024-03-02\n3;true;2024-03-02",
        "user\tpassword_length\nmira\ta1b2c3d4",
        "user,password,admin -> three columns\nmira,a1b2c3d4,true",
    ],
    "lines of code and terminals": [
        "if password:\n    login2x\n",
        "while not password:\n    retry3x1\n",
        "    password:\n      type: string\n      minLength: 8\n",
        "  password:\n    $ref2: x\n",
        "password:\n  valueFrom1:\n    secretKeyRef:\n",
        "Password:\nLast login: Mon Mar  2 09:00:01 from 10.0.0.3",
        "mira@host1's password:\nREADME2.md\napp1.py",
        "[sudo] password for mira:\nfile1a2b",
        "Password:\nREADME2.md",
        "Password:\n/etc/host1name",
        "Password:\n********\nConfirm password:\n",
        "Password:\n$ ls2x1",
        "Enter password:\ndone1234",
        "Password:\n2024-03-02\n",
        "Password:\n12345 items",
        "switch (kind) {\n  case password:\n    check2fa\n",
        "interface A {\n  password:\n    Secret2Text;\n}",
    ],
    "other languages": [
        '{"password": "Passwort", "login": "Anmelden"}',
        '{"password": "Mot de passe", "password_new": "Nouveau mot de passe"}',
        '{"password": "密码", "username": "用户名"}',
        '{"passwort": "Passwort", "passwort_neu": "Neues Passwort"}',
        "password: 'Contraseña',\n  repeat: 'Repetir contraseña',",
        "Das Passwort ist zu kurz, es braucht 12 Zeichen.",
        "Le mot de passe est trop court (8 caractères minimum).",
        "La contraseña debe tener 8 caracteres.",
        "A senha é obrigatória.",
        "Пароль: не менее 8 символов",
        "密码：长度必须为8到16个字符",
        "密码：至少8个字符",
        "パスワード：8文字以上",
        "Passwort: ********\nPasswort: ${DB_PASSWORT1}\nPasswort: <dein-passwort>",
        "Passwort vergessen? Seite2 hilft.",
        "Passwort:\nmindestens 8 Zeichen",
        "la clave: 3 pasos, clave1 y clave2",
        "mdp: model2b and mdp3x",
        "das Passwort: siehe Abschnitt 12",
        "senhas=12 heslo=true",
    ],
}
GOES = {
    "tables": [
        "| user | password |\n|---|---|\n| mira | {} |",
        "| User | Password | Role |\n|:--|:-:|--:|\n| mira | `{}` | admin |\n| otto |  | none |",
        "| **Password** |  user |\n| --- | --- |\n| {} | mira |",
        "user | password | role\n--- | --- | ---\nmira | {} | admin",
        " id | login | password\n----+-------+----------\n  1 | mira  | {}\n(1 row)",
        "+------+----------+\n| user | password |\n+------+----------+\n| mira | {} |\n+------+----------+",
        "| system | user | Passwort |\n|---|---|---|\n| db | mira | {} |",
        "| 服务 | 用户 | 密码 |\n|---|---|---|\n| db | mira | {} |",
        "┌──────┬──────────┐\n│ user │ password │\n├──────┼──────────┤\n│ mira │ {} │\n└──────┴──────────┘",
        "     1\u2192| user | password |\n     2\u2192|---|---|\n     3\u2192| mira | {} |",
        "> | user | password |\n> |---|---|\n> | mira | {} |",
    ],
    "lists of fields": [
        "user,password\nmira,{}\n",
        "username,password,email\nada,,a@example.com\nmira,{},m@example.com\n",
        "id;login;Password\n1;mira;{}",
        "user\tpassword\nmira\t{}",
        '"user","password"\n"mira, the first","{}"\n',
        "name,url,username,password\nshop,https://shop.example,mira,{}",
        "     1\u2192user,password\n     2\u2192mira,{}",
        "\ufeffuser,password\r\nmira,{}\r\n",
        "benutzer;passwort\nmira;{}",
        "utilisateur;mot de passe\nmira;{}",
    ],
    "lines of their own": [
        "Password:\n{}",
        "Login: mira\nPassword:\n{}\n\nPlease change it.",
        "Your temporary password:\n\n    {}\n",
        "**Password:**\n`{}`",
        "- Password:\n  {}",
        "Passphrase:\n{}",
        "Passwort:\n{}",
        "Пароль:\n{}",
        "密码：\n{}",
    ],
    "shell and .env": [
        "PASS={}",
        "export PASS={}",
        "USER=mira\nPASS={}\nHOST=db.example\n",
        "PASS={} ./deploy.sh prod",
        "env USER=mira PASS={} psql",
        "SSHPASS={} sshpass -e ssh mira@db.example",
        "DBPASS={}",
        "     3\u2192PASS={}",
        "+PASS={}",
        "ENV PASS={}",
        "docker run -e PASS={} app",
    ],
    "other languages": [
        "Passwort: {}",
        "Das Kennwort lautet {}",
        "Datenbankpasswort = {}",
        "DB_PASSWORT={}",
        "Mot de passe : {}",
        "mot_de_passe: {}",
        "contraseña: {}",
        "contrasen\u0303a: {}",
        "La contraseña es {}",
        "senha: {}",
        "senha={}",
        "A senha é {}",
        "Пароль: {}",
        "пароль - {}",
        "密码：{}",
        "密码: {}",
        "密码是 {}",
        "密碼：{}",
        "パスワード：{}",
        "パスワードは {}",
        "비밀번호: {}",
        "hasło: {}",
        "wachtwoord: {}",
        "lösenord: {}",
        "salasana: {}",
        "şifre: {}",
        "parola: {}",
        "heslo: {}",
        "jelszó: {}",
        "mật khẩu: {}",
        "adgangskode: {}",
        "κωδικός πρόσβασης: {}",
        "סיסמה: {}",
        "كلمة المرور: {}",
        "รหัสผ่าน: {}",
        "पासवर्ड: {}",
        '{{"passwort": "{}"}}',
        "<passwort>{}</passwort>",
        'String contraseña = "{}"',
    ],
}


@pytest.mark.parametrize(("group", "text"), [(group, text) for group, texts in STAYS.items() for text in texts])
def test_what_only_stands_where_a_password_would_stays(group: str, text: str) -> None:
    assert Redactor().text(text) == text, group


@pytest.mark.parametrize("value", [WORD, MIXED, LONG])
@pytest.mark.parametrize(("group", "written"), [(group, text) for group, texts in GOES.items() for text in texts])
def test_a_password_goes_and_nothing_else(group: str, written: str, value: str) -> None:
    assert Redactor().text(written.format(value)) == written.format("[REDACTED:password#1]").replace(
        "password", "passphrase" if written.startswith("Passphrase") else "password"
    ), group


@pytest.mark.parametrize("name", ["passwort", "Contraseña", "senha", "пароль", "密码", "mot_de_passe", "Mot de passe"])
def test_a_document_has_such_a_field_too(name: str) -> None:
    assert Redactor().value({name: WORD, "n": 1}) == {name: "[REDACTED:password#1]", "n": 1}


def test_a_field_of_a_language_file_names_no_password() -> None:
    document = {"de": {"password": "Passwort", "passwort": "Bitte das Passwort eingeben"}, "zh": {"password": "密码"}}
    assert Redactor().value(document) == document


def test_every_row_of_a_long_table_goes() -> None:
    rows = [f"user{n},pw{n}x{n * 7}q" for n in range(100, 700)]
    shown = Redactor().text("user,password\n" + "\n".join(rows))
    assert shown.count("[REDACTED:password#") == len(rows) and "x" not in shown
