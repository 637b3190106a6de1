"""Made-up secrets of many kinds, and what only looks like one: written from what the issuers publish, made when tests
run, so that no scanner takes this file for a leak.

A format is literal text with parts in braces: `{an36}` are 36 letters and digits. It is written without a look at the
rules, in the shape and length that the issuer gives.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string
from collections.abc import Callable, Iterator
from typing import NamedTuple

_CLASSES = {
    "an": string.ascii_letters + string.digits,
    "la": string.ascii_lowercase + string.digits,
    "al": string.ascii_letters,
    "UA": string.ascii_uppercase + string.digits,
    "UP": string.ascii_uppercase,
    "hex": string.digits + "abcdef",
    "HEX": string.digits + "ABCDEF",
    "dig": string.digits,
    "url": string.ascii_letters + string.digits + "-_",
    "b64": string.ascii_letters + string.digits + "+/",
    "b32": string.ascii_uppercase + "234567",
    "bech": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}
_PART = re.compile(r"\{([A-Za-z]+[a-z]?(?:64|32)?)(?::(\d+))?\}")

# Kind: its format. Each has a beginning or a shape of its own, so that no name beside it is needed.
FORMATS = {
    # Version control and build servers.
    "github personal": "ghp_{an:36}",
    "github oauth": "gho_{an:36}",
    "github user to server": "ghu_{an:36}",
    "github server to server": "ghs_{an:36}",
    "github refresh": "ghr_{an:36}",
    "github fine-grained": "github_pat_{an:22}_{an:59}",
    "gitlab personal": "glpat-{url:20}",
    "gitlab pipeline trigger": "glptt-{hex:40}",
    "gitlab deploy": "gldt-{url:20}",
    "gitlab runner": "glrt-{url:20}",
    "gitlab feed": "glft-{url:20}",
    "gitlab mail": "glimt-{la:25}",
    "gitlab agent": "glagent-{url:50}",
    "gitlab oauth secret": "gloas-{hex:64}",
    "gitlab scim": "glsoat-{url:20}",
    "gitlab job": "glcbt-{hex:2}_{url:20}",
    "bitbucket app password": "ATBB{an:32}",
    "atlassian": "ATATT3xFfGF0{url:171}={HEX:8}",
    "buildkite": "bkua_{hex:40}",
    "circleci personal": "CCIPAT_{an:22}_{hex:40}",
    "circleci project": "CCIPRJ_{an:22}_{hex:40}",
    "sonarqube user": "squ_{hex:40}",
    "sonarqube project": "sqp_{hex:40}",
    "sonarqube global": "sqa_{hex:40}",
    "harness": "pat.{url:22}.{hex:24}.{an:20}",
    # Models and what stands around them.
    "anthropic key": "sk-ant-api03-{url:93}AA",
    "anthropic admin": "sk-ant-admin01-{url:93}AA",
    "anthropic oauth access": "sk-ant-oat01-{url:93}AA",
    "anthropic oauth refresh": "sk-ant-ort01-{url:93}AA",
    "anthropic session": "sk-ant-sid01-{url:86}AA",
    "openai": "sk-{an:20}T3BlbkFJ{an:20}",
    "openai project": "sk-proj-{url:74}T3BlbkFJ{url:74}",
    "openai service account": "sk-svcacct-{url:74}T3BlbkFJ{url:74}",
    "openai admin": "sk-admin-{url:74}T3BlbkFJ{url:74}",
    "openrouter": "sk-or-v1-{hex:64}",
    "deepseek": "sk-{hex:32}",
    "hugging face": "hf_{al:34}",
    "hugging face organisation": "api_org_{al:34}",
    "replicate": "r8_{an:37}",
    "groq": "gsk_{an:52}",
    "perplexity": "pplx-{an:48}",
    "xai": "xai-{an:80}",
    "nvidia": "nvapi-{url:64}",
    "cerebras": "csk-{la:48}",
    "langsmith": "lsv2_pt_{hex:32}_{hex:10}",
    "langfuse": "sk-lf-{uuid}",
    "tavily": "tvly-{an:32}",
    "pinecone": "pcsk_{an:5}_{an:63}",
    "elevenlabs": "sk_{hex:48}",
    "databricks": "dapi{hex:32}",
    # Cloud.
    "aws key id": "AKIA{b32:16}",
    "aws temporary key id": "ASIA{b32:16}",
    "aws bedrock": "ABSK{b64:109}=",
    "google api": "AIza{url:35}",
    "google oauth access": "ya29.{url:120}",
    "google client secret": "GOCSPX-{url:28}",
    "google refresh": "1//0{url:60}",
    "azure storage": "DefaultEndpointsProtocol=https;AccountName=data1;AccountKey={b64:86}==",
    "azure client secret": "{an:3}8Q~{url:34}",
    "azure devops": "{an:76}AZDO{an:4}",
    "azure sas": "https://data1.blob.core.windows.net/c/b.txt?sv=2024-01-01&sp=r&sig={an:40}%2B%3D",
    "digitalocean personal": "dop_v1_{hex:64}",
    "digitalocean oauth": "doo_v1_{hex:64}",
    "digitalocean refresh": "dor_v1_{hex:64}",
    "alibaba": "LTAI{an:20}",
    "tencent": "AKID{an:32}",
    "vault service": "hvs.{url:95}",
    "vault batch": "hvb.{url:140}",
    "terraform cloud": "{an:14}.atlasv1.{url:67}",
    "doppler personal": "dp.pt.{an:43}",
    "doppler service": "dp.st.prd.{an:43}",
    "pulumi": "pul-{hex:40}",
    "netlify": "nfp_{an:36}",
    "supabase": "sbp_{hex:40}",
    "supabase secret": "sb_secret_{url:31}",
    "heroku": "HRKU-AA{url:58}",
    "cloudflare origin": "v1.0-{hex:24}-{hex:146}",
    "planetscale token": "pscale_tkn_{url:43}",
    "planetscale password": "pscale_pw_{url:43}",
    "render": "rnd_{an:32}",
    "tailscale": "tskey-auth-{an:17}-{an:32}",
    "openshift": "sha256~{url:43}",
    "aiven": "AVNS_{url:19}",
    "infisical": "st.{hex:24}.{hex:32}.{hex:32}",
    # Package registries.
    "npm": "npm_{an:36}",
    "pypi": "pypi-AgEIcHlwaS5vcmc{url:150}",
    "rubygems": "rubygems_{hex:48}",
    "crates": "cio{an:32}",
    "docker": "dckr_pat_{url:27}",
    "docker organisation": "dckr_oat_{url:32}",
    "artifactory": "AKCp{an:69}",
    "nuget": "oy2{la:43}",
    "clojars": "CLOJARS_{la:60}",
    # Chat, mail, work.
    "slack bot": "xoxb-{dig:12}-{dig:13}-{an:24}",
    "slack user": "xoxp-{dig:12}-{dig:12}-{dig:13}-{hex:32}",
    "slack app": "xapp-1-A{UA:10}-{dig:13}-{hex:64}",
    "slack webhook": "https://hooks.slack.com/services/T{UA:10}/B{UA:10}/{an:24}",
    "discord bot": "{discord}.{url:38}",
    "discord webhook": "https://discord.com/api/webhooks/{dig:19}/{url:68}",
    "telegram": "{dig:10}:AA{url:33}",
    "teams webhook": "https://a.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}",
    "twilio": "SK{hex:32}",
    "sendgrid": "SG.{url:22}.{url:43}",
    "mailgun": "key-{hex:32}",
    "mailchimp": "{hex:32}-us21",
    "brevo": "xkeysib-{hex:64}-{an:16}",
    "resend": "re_{an:8}_{an:24}",
    "linear": "lin_api_{an:40}",
    "notion": "ntn_{dig:11}{an:35}",
    "notion, older": "secret_{an:43}",
    "figma": "figd_{url:40}",
    "airtable": "pat{an:14}.{hex:64}",
    "hubspot": "pat-na1-{uuid}",
    "typeform": "tfp_{an:44}_{an:14}",
    "postman": "PMAK-{hex:24}-{hex:34}",
    "contentful": "CFPAT-{url:43}",
    "readme": "rdme_{la:70}",
    "mapbox": "sk.{mapbox}.{url:22}",
    "dropbox": "sl.{url:135}",
    "facebook": "EAA{an:150}",
    # Payment and shops.
    "stripe": "sk_live_{an:24}",
    "stripe, longer": "sk_live_51{an:97}",
    "stripe restricted": "rk_live_{an:24}",
    "stripe webhook": "whsec_{an:32}",
    "square access": "sq0atp-{url:22}",
    "square secret": "sq0csp-{url:43}",
    "shopify access": "shpat_{hex:32}",
    "shopify secret": "shpss_{hex:32}",
    "shopify custom": "shpca_{hex:32}",
    "shopify private": "shppa_{hex:32}",
    "braintree": "access_token$production${la:16}${hex:32}",
    "flutterwave": "FLWSECK_TEST-{hex:32}-X",
    "mollie": "live_{an:30}",
    "plaid": "access-production-{uuid}",
    "easypost": "EZAK{an:54}",
    "duffel": "duffel_live_{url:43}",
    "shippo": "shippo_live_{hex:40}",
    # Monitoring.
    "new relic user": "NRAK-{UA:27}",
    "sentry user": "sntryu_{hex:64}",
    "sentry organisation": "sntrys_eyJ{b64:100}_{b64:43}",
    "grafana service account": "glsa_{an:32}_{hex:8}",
    "grafana cloud": "glc_eyJ{b64:120}",
    "dynatrace": "dt0c01.{b32:24}.{b32:64}",
    "posthog": "phx_{an:43}",
    "launchdarkly": "api-{uuid}",
    # Of nobody in particular.
    "jwt": "{jwt}",
    "age": "AGE-SECRET-KEY-1{bech:58}",
    "1password": "ops_eyJ{b64:250}",
    "postgres address": "postgres://app:{an:20}@db.example:5432/app",
    "mysql address": "mysql://root:{an:16}@10.0.0.3/app",
    "mongodb address": "mongodb+srv://svc:{an:18}@cluster0.example.net/test",
    "redis address": "redis://:{an:24}@cache.example:6379/0",
    "amqp address": "amqp://worker:{an:14}@mq.example:5672/",
    "address with a login": "https://deploy:{an:20}@git.example/team/app.git",
    "bcrypt": "$2b$12${bcrypt}",
}

# Kind: the name that gives it away, and its format. Nothing else tells it from other texts.
NAMED = {
    "password": ("DB_PASSWORD", "{al:6}{dig:3}!{al:4}"),
    "root password": ("MYSQL_ROOT_PASSWORD", "{an:14}"),
    "secret of django": ("SECRET_KEY", "{an:50}"),
    "secret of aws": ("AWS_SECRET_ACCESS_KEY", "{b64:40}"),
    "datadog": ("DD_API_KEY", "{hex:32}"),
    "datadog application": ("DD_APP_KEY", "{hex:40}"),
    "cohere": ("COHERE_API_KEY", "{an:40}"),
    "mistral": ("MISTRAL_API_KEY", "{an:32}"),
    "cloudflare": ("CLOUDFLARE_API_TOKEN", "{url:40}"),
    "vercel": ("VERCEL_TOKEN", "{an:24}"),
    "algolia": ("ALGOLIA_API_KEY", "{hex:32}"),
    "snyk": ("SNYK_TOKEN", "{uuid}"),
    "codecov": ("CODECOV_TOKEN", "{uuid}"),
    "twitch": ("TWITCH_CLIENT_SECRET", "{la:30}"),
    "auth0": ("AUTH0_CLIENT_SECRET", "{url:64}"),
    "signing": ("JWT_SIGNING_KEY", "{b64:43}="),
    "encryption": ("ENCRYPTION_KEY", "{hex:64}"),
    "webhook": ("GITHUB_WEBHOOK_SECRET", "{hex:40}"),
    "passphrase": ("GPG_PASSPHRASE", "{an:12} {al:6} {dig:4}"),
    "session": ("SESSION_COOKIE", "{url:32}"),
}


class Sample(NamedTuple):
    """A secret in a text: `kind` and `context` name it, `secret` is the part of `text` that must go."""

    kind: str
    context: str
    text: str
    secret: str


def filled(form: str, chance: random.Random) -> str:
    """Return one made-up value of a format."""

    def part(found: re.Match[str]) -> str:
        name, size = found[1], int(found[2] or 0)
        if name == "uuid":
            return "-".join("".join(chance.choices(_CLASSES["hex"], k=n)) for n in (8, 4, 4, 4, 12))
        if name == "bcrypt":
            return "".join(chance.choices(_CLASSES["an"] + "./", k=53))
        if name == "discord":  # the number of a user, and a time
            user = base64.b64encode("".join(chance.choices("123456789", k=18)).encode()).decode()
            return f"{user}.{chance.choice('GHXYZ')}{''.join(chance.choices(_CLASSES['url'], k=5))}"
        if name == "mapbox":
            claims = {"u": "mira-t", "a": "".join(chance.choices(_CLASSES["la"], k=25))}
            return base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
        if name == "jwt":
            claims = {"sub": "".join(chance.choices(_CLASSES["dig"], k=10)), "name": "Mira", "iat": "1760000000"}
            halves = ({"alg": "HS256", "typ": "JWT"}, claims)
            packed = [base64.urlsafe_b64encode(json.dumps(half).encode()).decode().rstrip("=") for half in halves]
            return ".".join([*packed, "".join(chance.choices(_CLASSES["url"], k=43))])
        return "".join(chance.choices(_CLASSES[name], k=size))

    return _PART.sub(part, form)


CONTEXTS: dict[str, Callable[[str], str]] = {
    "environment": lambda value: f"PATH=/usr/bin\nVALUE_1={value}\nLANG=C.UTF-8\n",
    "json": lambda value: json.dumps({"id": 7, "of": {"value": value, "more": None}}),
    "python": lambda value: f"    client = connect({value!r}, timeout=3)\n",
    "prose": lambda value: f"I used {value} for this, and it answered with 200.",
    "bare": lambda value: value,
}
NAMED_CONTEXTS: dict[str, Callable[[str, str], str]] = {
    "environment": lambda name, value: f"PATH=/usr/bin\nexport {name}='{value}'\n",
    "json": lambda name, value: json.dumps({"env": {"A": "b", name: value}}, indent=1),
    "python": lambda name, value: f'os.environ["{name}"] = "{value}"\n',
    "yaml": lambda name, value: f'services:\n  app:\n    environment:\n      {name}: "{value}"\n',
    "setting": lambda name, value: json.dumps([{"name": name, "value": value}]),
}


def secrets(seed: int) -> Iterator[Sample]:
    """Yield every kind once in each of its contexts."""
    chance = random.Random(seed)
    for kind, form in FORMATS.items():
        for context, write in CONTEXTS.items():
            value = filled(form, chance)
            yield Sample(kind, context, write(value), hidden_part(form, value))
    for kind, (name, form) in NAMED.items():
        for context, write_named in NAMED_CONTEXTS.items():
            value = filled(form, chance)
            yield Sample(kind, context, write_named(name, value), value)


def hidden_part(form: str, value: str) -> str:
    """Return what must go of a value: of an address, the part that is made up."""
    if "://" not in form and ";" not in form:
        return value
    longest = max(_PART.finditer(form), key=lambda part: int(part[2] or 0))
    before, after = form[: longest.start()], form[longest.end() :]
    pattern = "".join(
        ".+?" if _PART.fullmatch(part) else re.escape(part) for part in re.split(r"(\{[^}]*\})", before) if part
    )
    tail = ".+?".join(re.escape(part) for part in re.split(r"\{[^}]*\}", after))
    found = re.fullmatch(f"{pattern}(.+?){tail}", value)
    assert found is not None
    return found[1]


_IMAGE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def harmless(seed: int) -> Iterator[tuple[str, str]]:
    """Yield 480 texts that only look as if they held a secret, with their group."""
    chance = random.Random(seed)

    def some(form: str) -> str:
        return filled(form, chance)

    made: dict[str, Callable[[], str]] = {
        "uuid": lambda: f"session {some('{uuid}')} ended",
        "uuid in json": lambda: json.dumps({"requestId": some("{uuid}"), "parentUuid": some("{uuid}")}),
        "commit": lambda: f"commit {some('{hex:40}')}\nAuthor: Mira <mira@example.com>",
        "range of commits": lambda: f"   {some('{hex:7}')}..{some('{hex:7}')}  main -> main",
        "checksum": lambda: f"{some('{hex:64}')}  dist/app-{chance.randrange(9)}.2.tar.gz",
        "npm lock": lambda: json.dumps({"resolved": "https://r.example/a.tgz", "integrity": "sha512-" + b64(64)}),
        "pip hash": lambda: f"    --hash=sha256:{some('{hex:64}')} \\",
        "cargo lock": lambda: f'checksum = "{some("{hex:64}")}"',
        "go sum": lambda: f"golang.example/x/net v0.{chance.randrange(40)}.0/go.mod h1:{b64(32)}",
        "yarn checksum": lambda: f"  checksum: 10/{some('{hex:128}')}",
        "image digest": lambda: f"FROM python@sha256:{some('{hex:64}')}",
        "signature of thinking": lambda: json.dumps({"type": "thinking", "thinking": "", "signature": b64(300)}),
        "tool id": lambda: json.dumps({"tool_use_id": "toolu_01" + some("{an:22}")}),
        "message id": lambda: f"msg_01{some('{an:22}')} req_011{some('{an:21}')}",
        "base64 image": lambda: "data:image/png;base64," + base64.b64encode(_IMAGE + chance.randbytes(200)).decode(),
        "font in a style": lambda: f"src: url(data:font/woff2;base64,{b64(150)}) format('woff2')",
        "chunk of a page": lambda: f"assets/index-{some('{url:8}')}.js 143.02 kB, vendor.{some('{hex:20}')}.css",
        "entity tag": lambda: f'ETag: W/"{some("{hex:27}")}"\nX-Request-Id: {some("{uuid}")}',
        "filler": lambda: (
            chance.choice(("API_KEY=", "token: ", "password="))
            + chance.choice(
                (
                    "xxxxxxxxxxxxxxxx",
                    "<your-key>",
                    "********",
                    "your-api-key-here",
                    "changeme",
                    "${TOKEN}",
                    "REPLACE_ME_1",
                )
            )
        ),
        "environment read": lambda: chance.choice(
            (
                'token = os.environ["API_TOKEN_2"]',
                "const key = process.env.STRIPE_KEY_2;",
                'password = os.getenv("DB_PASSWORD2")',
                "secret: ${{ secrets.DEPLOY_KEY_2 }}",
                "export TOKEN=$(cat /run/secrets/token2)",
                "api_key = settings.api_keys[2]",
                'password: vault.read("db/2").password',
            )
        ),
        "code about tokens": lambda: chance.choice(
            (
                f"max_tokens={chance.randrange(10**5)}, input_tokens={chance.randrange(10**6)}",
                "next_token = self.tokens[self.at2 + 1]",
                f"assert token.kind == Kind.NAME_{chance.randrange(99)}",
                f"def test_password_{chance.randrange(99)}(client, token2):",
                f"tokenizer.pad_token_id = {chance.randrange(10**5)}",
                "if not hmac.compare_digest(secret2, given): return None",
            )
        ),
        "counts of a test runner": lambda: (
            f"PASS={chance.randrange(900)} FAIL={chance.randrange(9)}\nPASS={chance.randrange(1, 99)}ms\n"
            f"PASS: test_{some('{la:6}')}"
        ),
        "table about passwords": lambda: (
            f"| user | password |\n|---|---|\n| mira | 20{chance.randrange(10, 30)}-03-02 |\n"
            f"| otto | sha{chance.choice((256, 512))} |\n| ida | {chance.randrange(8, 99)} characters |\n"
            f"| jo | DB_PASSWORD_{chance.randrange(9)} |"
        ),
        "code above a line": lambda: f"if password:\n    {some('{al:4}{dig:2}{al:3}')}\nelif pass2word:\n    return",
    }

    def b64(size: int) -> str:
        return base64.b64encode(chance.randbytes(size)).decode()

    for group, make in made.items():
        for _ in range(20):
            yield group, make()
