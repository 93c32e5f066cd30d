"""What ``webmcp-e2e COMMAND --help`` teaches: examples, and what the exit codes mean."""

from __future__ import annotations

from typing import Final

ALL: Final = """\
examples:
  webmcp-e2e doctor                      what is here, what is missing, and the mend
  webmcp-e2e scenarios -k relay          run the bundled scenarios (all pytest options work)
  webmcp-e2e scenarios --webmcp-host ./dist/my-extension
  webmcp-e2e conformance provider ./my-provider --junit report.xml
  webmcp-e2e conformance relay "node my-relay.js" --baseline known.txt
  webmcp-e2e conformance page http://localhost:8000/ --html report.html
  webmcp-e2e open https://example.com    a headed browser with extension, page and relay connected
  webmcp-e2e open -f relay -f '!ping'     its hops in the terminal, those of the relay only
  webmcp-e2e check http://localhost:8000/
  webmcp-e2e show test-results/artifacts/my-test/bundle
  webmcp-e2e show --diff before/bundle after/bundle
  webmcp-e2e repro B09 --repeat 20       a reported bug, and how often it happens
  webmcp-e2e merge shard-1 shard-2 --out merged
  webmcp-e2e extensions --out ./lumo     copy the built extensions, to load them by hand

exit codes: 0 all as expected, 1 the subject failed, 2 usage, 3 the harness or the environment failed
"""

OF: Final = {
    "doctor": """\
examples:
  webmcp-e2e doctor
  webmcp-e2e doctor --webmcp-chromium /opt/chromium/chrome
  webmcp-e2e doctor --json | jq '.findings[]'

exit codes: 0 everything is there, 3 something is missing; each line says the mend
""",
    "open": """\
examples:
  webmcp-e2e open                        the order desk, with extension, relay and side panel
  webmcp-e2e open http://localhost:8000/
  webmcp-e2e open -f tools/call          only hops that speak of a call
  webmcp-e2e open -f relay -f '!ping'    those of the relay, without its heartbeat
  webmcp-e2e open --headless             on a server: only the terminal

Ctrl-C ends browser and relay.
""",
    "conformance": """\
examples:
  webmcp-e2e conformance provider ./my-provider --junit report.xml
  webmcp-e2e conformance host ./dist/my-extension --bundles failed
  webmcp-e2e conformance relay "node my-relay.js" --baseline known.txt
  webmcp-e2e conformance page http://localhost:8000/ --html report.html
  webmcp-e2e conformance page ./page.html --own-server --rows Forms --rows Life

A baseline is a text file: one row's name a line, # begins a comment. A row in it that passes is an error too,
so a baseline cannot grow old. A provider folder has a conformance.json that says how it is switched on
(docs/protocol.md).

exit codes: 0 every MUST row passed or is known to fail, 1 one did not, 2 usage, 3 the harness failed
""",
    "check": """\
examples:
  webmcp-e2e check http://localhost:8000/
  webmcp-e2e check http://localhost:8000/ --webmcp-runtime polyfill --html report.html

It lists the page's tools, holds names, descriptions and schemas against what model APIs take, calls those that
only read and need no argument, and follows them over reload, Back and a stopped worker.

exit codes: 0 all well, 1 something does not work, 2 usage, 3 the page or the browser could not be opened
""",
    "repro": """\
examples:
  webmcp-e2e repro B09 --repeat 20       a reported bug, and how often it happens
  webmcp-e2e repro --new my-report       a report that runs; change it to show what you saw
  webmcp-e2e repro my-report --repeat 50 --until-fail
  webmcp-e2e repro my-report --trust     also its Python and its extension, which you have read
  webmcp-e2e repro my-report --repeat 5 --bisect-chromium ~/chromium/*

Each run that fails leaves a bundle; `webmcp-e2e show BUNDLE` opens it.

exit codes: 0 no run failed, 1 one did, 2 usage, 3 nothing could be run
""",
    "show": """\
examples:
  webmcp-e2e show test-results/artifacts/my-test/bundle
  webmcp-e2e show bundle --no-open       in words, in the terminal
  webmcp-e2e show --diff before/bundle after/bundle

exit codes: 0 shown (with --diff: the runs are alike), 1 the two runs part, 2 usage
""",
    "extensions": """\
example:
  webmcp-e2e extensions --out ./lumo     then chrome://extensions, "Load unpacked", ./lumo/host
""",
    "scenarios": """\
examples:
  webmcp-e2e scenarios -k relay
  webmcp-e2e scenarios -n 2 --webmcp-host ./dist/my-extension
""",
}
