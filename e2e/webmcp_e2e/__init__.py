"""End-to-end testing of the WebMCP chain: page, MV3 extension, side panel, relay, MCP client."""

__version__ = "0.1.0"
