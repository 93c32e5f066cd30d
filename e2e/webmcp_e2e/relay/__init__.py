"""The relay: a WebSocket server for browsers that is an MCP server for clients (``webmcp-relay``)."""
