"""The least that an MCP call over stdio costs in Python: a server with one tool and nothing behind it."""

from mcp.server import MCPServer

server = MCPServer("floor")


@server.tool()
def shape(kind: str) -> str:
    """Returns the text."""
    return kind


if __name__ == "__main__":
    server.run("stdio")
