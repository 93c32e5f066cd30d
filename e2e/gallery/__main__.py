"""``python e2e/gallery BUNDLES``: pictures of the reported bugs' timelines, and the page that shows them."""

import sys

from webmcp_gallery.cli import main

sys.exit(main())
