"""One real Chromium with extensions, driven by Playwright through a private CDP gate."""

from .browser import ExtensionBrowser
from .cdp import CdpEvent
from .chromium import CHROMIUM_VARIABLE, ChromiumBinary, find_chromium
from .errors import (
    BrowserClosed,
    BrowserCrashed,
    CdpError,
    ChromiumNotFound,
    EvaluationFailed,
    ExtensionError,
    GateLost,
    HarnessError,
    HarnessTimeout,
    LaunchFailed,
    PageHung,
    WorkerStopped,
)
from .extension import Extension
from .flags import Runtime
from .storage import Storage, StorageArea
from .targets import Attachment, WorkerStatus
from .worker import RecycleMode, Worker

__all__ = [
    "CHROMIUM_VARIABLE",
    "Attachment",
    "BrowserClosed",
    "BrowserCrashed",
    "CdpError",
    "CdpEvent",
    "ChromiumBinary",
    "ChromiumNotFound",
    "EvaluationFailed",
    "Extension",
    "ExtensionBrowser",
    "ExtensionError",
    "GateLost",
    "HarnessError",
    "HarnessTimeout",
    "LaunchFailed",
    "PageHung",
    "RecycleMode",
    "Runtime",
    "Storage",
    "StorageArea",
    "Worker",
    "WorkerStatus",
    "WorkerStopped",
    "find_chromium",
]
