"""The page app's aiohttp routes: pages (with their templates and policies), files, the journal."""

from __future__ import annotations

import html
import re
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from aiohttp import web

from webmcp_e2e import resources

from .journal import Journal

_MAX_BODY = 16 * 1024 * 1024
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
# Not `no-store`: that would keep every page out of the back/forward cache.
_CACHE = {"Cache-Control": "no-cache"}


def strict_policy(nonce: str, cross_origin: str) -> str:
    """The policy of ``?csp=strict``: nothing but nonced scripts, no strings as markup, no eval."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'nonce-{nonce}'",
            f"style-src 'nonce-{nonce}'",
            "connect-src 'self'",
            "img-src 'self'",
            f"frame-src 'self' {cross_origin}",
            "base-uri 'none'",
            "form-action 'self'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


class Pages:
    """Files of the page app, with a stranger's folder laid over it."""

    def __init__(self, overlay: Sequence[Path]) -> None:
        self._overlay = tuple(folder.resolve() for folder in overlay)
        self._own = resources.html_app_dir().resolve()
        self.cross_origin = ""

    async def file(self, request: web.Request) -> web.StreamResponse:
        """Any file by its path; ``/`` is ``index.html``."""
        return self._answer(request, request.match_info["path"] or "index.html")

    async def views(self, request: web.Request) -> web.StreamResponse:
        """Every address below ``/views/`` is the same document (pushState)."""
        return self._answer(request, "views.html")

    async def vendor(self, request: web.Request) -> web.StreamResponse:
        """Third-party scripts of the pages."""
        try:
            folder = resources.vendor_dir().resolve()
        except resources.ResourceMissing as missing:
            raise web.HTTPNotFound(text=str(missing)) from missing
        return self._send(folder, request.match_info["path"])

    def submitted(self, request: web.Request) -> web.StreamResponse:
        """The page that a navigating form goes to."""
        return self._answer(request, "submitted.html")

    def _answer(self, request: web.Request, path: str) -> web.StreamResponse:
        for folder in self._overlay:
            if _inside(folder, path) is not None:
                return self._send(folder, path)
        own = _inside(self._own, path)
        if own is not None and own.suffix == ".html":
            return self._page(request, own)
        return self._send(self._own, path)

    def _send(self, folder: Path, path: str) -> web.StreamResponse:
        found = _inside(folder, path)
        if found is None:
            raise web.HTTPNotFound(text=f"The page app has no {path}. /pages.html lists its pages.")
        return web.FileResponse(found, headers=_CACHE)

    def _page(self, request: web.Request, file: Path) -> web.Response:
        nonce = secrets.token_urlsafe(12)
        values = {**request.query, "nonce": nonce, "cross_origin": self.cross_origin}
        text = _PLACEHOLDER.sub(
            lambda found: html.escape(values.get(found[1], "")), file.read_text(encoding="utf-8")
        )
        headers = dict(_CACHE)
        if request.query.get("csp") == "strict":
            headers["Content-Security-Policy"] = strict_policy(nonce, self.cross_origin)
        return web.Response(text=text, content_type="text/html", charset="utf-8", headers=headers)


def _inside(folder: Path, path: str) -> Path | None:
    """The existing file ``path`` of ``folder``; None where there is none or where it leads out."""
    found = (folder / path).resolve()
    return found if found.is_file() and found.is_relative_to(folder) else None


def _journal_routes(journal: Journal, pages: Pages) -> list[web.RouteDef]:
    async def begin(request: web.Request) -> web.Response:
        record = await request.json()
        journal.begin(str(record["id"]), record)
        return web.Response(status=204)

    async def outcome(request: web.Request) -> web.Response:
        record = await request.json()
        journal.end(str(record["id"]), str(record["outcome"]))
        return web.Response(status=204)

    async def show(_request: web.Request) -> web.Response:
        return web.json_response([asdict(one) for one in journal.invocations])

    async def submitted(request: web.Request) -> web.StreamResponse:
        run_id, tool = str(uuid.uuid4()), request.match_info["tool"]
        journal.begin(run_id, {"tool": tool, "args": dict(request.query), "url": str(request.url)})
        journal.end(run_id, "finished")
        return pages.submitted(request)

    return [
        web.post("/invocations", begin),
        web.post("/invocations/outcome", outcome),
        web.get("/invocations", show),
        web.get("/submitted/{tool}", submitted),
    ]


def make_application(journal: Journal, pages: Pages) -> web.Application:
    """The whole application; ``pages.cross_origin`` is set once the port is known."""
    application = web.Application(client_max_size=_MAX_BODY)
    application.add_routes(_journal_routes(journal, pages))
    application.add_routes(
        [
            web.get("/vendor/{path:.+}", pages.vendor),
            web.get("/views/{path:.*}", pages.views),
            web.get("/{path:.*}", pages.file),
        ]
    )
    return application
