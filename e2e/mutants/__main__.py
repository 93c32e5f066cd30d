"""``python e2e/mutants``: plants each known fault and shows which scenario sees it."""

import sys

from webmcp_mutants.cli import main

sys.exit(main())
