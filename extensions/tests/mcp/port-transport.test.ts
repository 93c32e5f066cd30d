import { beforeEach, describe, expect, it, vi } from "vitest";
import { NotSent, PortTransport } from "../../host/mcp/port-transport.ts";
import { FakePort } from "./fake-port.ts";

let end: FakePort;
let transport: PortTransport;
const received = vi.fn();

function open(): { end: FakePort; transport: PortTransport } {
  const peer = new FakePort();
  const made = new PortTransport(peer.port);
  made.onmessage = received;
  return { end: peer, transport: made };
}

beforeEach(() => {
  vi.stubGlobal("chrome", { runtime: {} });
  received.mockReset();
  ({ end, transport } = open());
});

const REQUEST = { jsonrpc: "2.0", id: 0, method: "initialize", params: {} } as const;

describe("PortTransport", () => {
  it("brings each answer to its request", async () => {
    await transport.send(REQUEST);
    end.deliver({ jsonrpc: "2.0", id: end.posted[0]!.id, result: { fine: true } });
    expect(received).toHaveBeenCalledExactlyOnceWith({ jsonrpc: "2.0", id: 0, result: { fine: true } });
  });

  it("drops the replayed answer of an earlier port", async () => {
    await transport.send(REQUEST);
    const replayed = { jsonrpc: "2.0", id: end.posted[0]!.id, result: {} };
    const next = open();
    await next.transport.send(REQUEST);
    next.end.deliver(replayed);
    next.end.deliver({ jsonrpc: "2.0", id: 0, result: {} });
    expect(received).not.toHaveBeenCalled();
  });

  it("names the request of a cancellation as it was sent", async () => {
    await transport.send(REQUEST);
    await transport.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } });
    expect(end.posted[1]!.params).toEqual({ requestId: end.posted[0]!.id });
  });

  it("passes the peer's requests and notifications", () => {
    end.deliver({ jsonrpc: "2.0", id: 3, method: "ping" });
    end.deliver({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    expect(received.mock.calls.map(([message]) => message.method)).toEqual([
      "ping",
      "notifications/tools/list_changed",
    ]);
  });

  it.each([null, 7, "text", [], {}, { jsonrpc: "1.0", method: "x" }])("survives %j", (message) => {
    const faults = vi.fn();
    transport.onerror = faults;
    expect(() => end.deliver(message)).not.toThrow();
    expect(received).not.toHaveBeenCalled();
  });

  it("says of a message on a dead port that it was not sent", async () => {
    const closed = vi.fn();
    transport.onclose = closed;
    end.dead = true;
    await expect(transport.send(REQUEST)).rejects.toBeInstanceOf(NotSent);
    await expect(transport.send(REQUEST)).rejects.toBeInstanceOf(NotSent);
    expect(closed).toHaveBeenCalledOnce();
  });

  it("ends once, whoever closes", async () => {
    const closed = vi.fn();
    transport.onclose = closed;
    end.close();
    await transport.close();
    expect(closed).toHaveBeenCalledOnce();
    expect(transport.closed).toBe(true);
    end.deliver({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    expect(received).not.toHaveBeenCalled();
  });
});
