"""What can go wrong between a test and its browser: each error has a code and a sentence with the mend."""

from __future__ import annotations

from typing import ClassVar


class HarnessError(Exception):
    """The harness, not the subject under test, failed. ``code`` is stable; the text says what to do."""

    code: ClassVar[str] = "harness_error"

    def __str__(self) -> str:
        return f"{self.code}: {super().__str__()}"


class ChromiumNotFound(HarnessError):
    """No usable Chromium binary."""

    code = "chromium_not_found"


class LaunchFailed(HarnessError):
    """Chromium ended, or did not answer, before it was usable."""

    code = "launch_failed"


class BrowserCrashed(HarnessError):
    """Chromium's browser process ended although nobody closed it."""

    code = "browser_crashed"


class GateLost(HarnessError):
    """The connection between Playwright and Chromium is gone."""

    code = "gate_lost"


class BrowserClosed(HarnessError):
    """The browser was closed by the test or the harness; nothing more can be asked of it."""

    code = "browser_closed"


class HarnessTimeout(HarnessError):
    """A bounded wait ran out."""

    code = "harness_timeout"


class PageHung(HarnessError):
    """A page's main thread has stopped answering."""

    code = "page_hung"


class WorkerStopped(HarnessError):
    """The extension's service worker is not running, and evaluating does not wake it."""

    code = "worker_stopped"


class EvaluationFailed(HarnessError):
    """An expression threw in the service worker; the text is the worker's own."""

    code = "evaluation_failed"


class ExtensionError(HarnessError):
    """Chromium refused to load, reload, switch or act on the extension."""

    code = "extension_error"


class CdpError(HarnessError):
    """Chromium answered a command with an error; the text is Chromium's own."""

    code = "cdp_error"
