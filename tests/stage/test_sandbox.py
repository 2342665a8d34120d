from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx
import pytest

from mcpapps_cli.host.event import Violation
from mcpapps_cli.stage.probe import splice_probe
from mcpapps_cli.stage.sandbox import Frame, Sandbox, own_subdomain

pytestmark = pytest.mark.anyio

POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'"
REPORT = {"csp-report": {"effective-directive": "img-src", "blocked-uri": "https://a.test/x"}}


@dataclass
class Scene:
    """A sandbox with one frame, a clock that stands still, and what it told."""

    now: float = 0.0
    violations: list[Violation] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sandbox = Sandbox(
            5174, "http://127.0.0.1:5173", on_stray=self.stray.append, clock=lambda: self.now
        )
        self.open("key")

    def open(self, key: str, html: str | None = None) -> None:
        probe = None if html is None else splice_probe(html, "secret")

        # Of each View its own, as a View's frames are told apart by what is told of them.
        def note_missing(path: str) -> None:
            self.missing.append(path)

        self.sandbox.open(
            Frame(key, "secret", POLICY, "camera", probe, self.violations.append, note_missing)
        )

    async def report(self, body: object, key: str = "key") -> int:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        answer = await self.client.post(
            f"/{key}/report", content=content, headers={"Origin": "null"}
        )
        return answer.status_code


@pytest.fixture
async def scene(anyio_backend: str) -> AsyncIterator[Scene]:
    made = Scene()
    transport = httpx.ASGITransport(made.sandbox)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:5174") as client:
        made.client = client  # type: ignore[attr-defined]
        yield made


async def test_h1_proxy_page_carries_the_policy_as_a_header_with_its_own_report_path(
    scene: Scene,
) -> None:
    answer = await scene.client.get("/key/")
    assert answer.status_code == 200
    assert answer.headers.get_list("content-security-policy") == [
        f"{POLICY}; report-uri http://localhost:5174/key/report",
        "frame-ancestors http://127.0.0.1:5173",
    ]
    assert "set-cookie" not in answer.headers


async def test_proxy_page_holds_the_probe_as_data_only_when_wanted(scene: Scene) -> None:
    assert '"probe": null' in (await scene.client.get("/key/")).text
    scene.open("other", "<!doctype html><p>")
    text = (await scene.client.get("/other/")).text
    assert '"at": 15' in text
    assert text.count("<script>") == 1


@pytest.mark.parametrize("path", ["/", "/key", "/favicon.ico", "/other/", "/key/app.js", "/../x"])
async def test_every_other_path_is_not_found(scene: Scene, path: str) -> None:
    assert (await scene.client.get(path)).status_code == 404


async def test_path_beside_the_proxy_page_is_a_relative_url_of_that_view(scene: Scene) -> None:
    scene.open("other")
    await scene.client.get("/key/img/logo.png")
    assert (scene.missing, scene.stray) == (["img/logo.png"], [])


async def test_root_relative_url_is_the_only_views_or_nobodys(scene: Scene) -> None:
    await scene.client.get("/assets/a.js")
    assert scene.missing == ["/assets/a.js"]
    scene.open("other")
    await scene.client.get("/assets/b.js")
    assert (scene.missing, scene.stray) == (["/assets/a.js"], ["/assets/b.js"])


@pytest.mark.parametrize("host", ["127.0.0.1:5174", "localhost", "localhost:1", "evil.test:5174"])
async def test_foreign_host_is_misdirected(scene: Scene, host: str) -> None:
    answer = await scene.client.get("/key/", headers={"Host": host})
    assert answer.status_code == 421


async def test_subdomain_of_localhost_is_an_own_origin(scene: Scene) -> None:
    url = httpx.URL(scene.sandbox.url("key", subdomain=own_subdomain("server", "ui://a/b")))
    assert str(url).endswith(".localhost:5174/key/")
    assert (
        await scene.client.get("/key/", headers={"Host": url.netloc.decode()})
    ).status_code == 200


def test_own_origin_is_the_same_for_the_same_view_only() -> None:
    assert own_subdomain("s", "ui://a/b") == own_subdomain("s", "ui://a/b")
    assert len({own_subdomain(*pair) for pair in (("s", "t"), ("st", ""), ("", "st"))}) == 3


async def test_report_with_a_null_origin_becomes_a_violation(scene: Scene) -> None:
    assert await scene.report(REPORT) == 204
    assert scene.violations == [Violation("img-src", "https://a.test/x")]


async def test_report_for_a_closed_or_unknown_frame_is_not_found(scene: Scene) -> None:
    scene.sandbox.close("key")
    assert await scene.report(REPORT) == 404
    assert await scene.report(REPORT, "guess") == 404
    assert scene.violations == []


async def test_report_of_more_than_64_kib_is_refused(scene: Scene) -> None:
    assert await scene.report(b" " * 65_537) == 413
    assert await scene.report(b" " * 65_536) == 204


async def test_reports_come_at_a_bounded_rate(scene: Scene) -> None:
    statuses = [await scene.report(REPORT) for _ in range(201)]
    assert (statuses.count(204), statuses.count(429)) == (200, 1)
    scene.now = 1.0
    statuses = [await scene.report(REPORT) for _ in range(21)]
    assert (statuses.count(204), statuses.count(429)) == (20, 1)


async def test_rate_of_one_view_does_not_touch_another(scene: Scene) -> None:
    scene.open("other")
    for _ in range(201):
        await scene.report(REPORT)
    assert await scene.report(REPORT, "other") == 204
