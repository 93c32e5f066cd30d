"""Services that tests need beside the browser: the page app's server, ports, a relay with a real MCP client."""
