import { describe, expect, it } from "vitest";
import { PortTransport } from "../../provider/agent/transport.ts";

type Listener = (value: unknown) => void;

class FakePort {
  posted: unknown[] = [];
  disconnected = false;
  private readonly messages: Listener[] = [];
  private readonly ends: Listener[] = [];
  readonly onMessage = { addListener: (listener: Listener) => void this.messages.push(listener) };
  readonly onDisconnect = { addListener: (listener: Listener) => void this.ends.push(listener) };
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
  disconnect(): void {
    this.disconnected = true;
  }
  arrive(message: unknown): void {
    for (const listener of this.messages) listener(message);
  }
  fall(): void {
    for (const listener of this.ends) listener(this);
  }
}

const note = (index: number, filler = "") => ({ jsonrpc: "2.0", method: `n${index}`, params: { filler } });

function opened(): { port: FakePort; transport: PortTransport; got: string[] } {
  const port = new FakePort();
  const transport = new PortTransport(port as unknown as chrome.runtime.Port);
  const got: string[] = [];
  transport.onmessage = (message) => got.push("method" in message ? message.method : "");
  return { port, transport, got };
}

describe("PortTransport", () => {
  it("keeps what arrives until it is started, and delivers it in order", async () => {
    const { port, transport, got } = opened();
    for (const index of [1, 2, 3]) port.arrive(note(index));
    expect(got).toEqual([]);
    await transport.start();
    port.arrive(note(4));
    expect(got).toEqual(["n1", "n2", "n3", "n4"]);
  });

  it("keeps 64 messages and disconnects at the 65th", () => {
    const { port } = opened();
    for (let index = 0; index < 64; index++) port.arrive(note(index));
    expect(port.disconnected).toBe(false);
    port.arrive(note(64));
    expect(port.disconnected).toBe(true);
  });

  it("disconnects over 1 MiB", () => {
    const { port } = opened();
    port.arrive(note(1, "x".repeat(900_000)));
    expect(port.disconnected).toBe(false);
    port.arrive(note(2, "x".repeat(200_000)));
    expect(port.disconnected).toBe(true);
  });

  it("has no bound once it is started", async () => {
    const { port, transport, got } = opened();
    await transport.start();
    for (let index = 0; index < 100; index++) port.arrive(note(index, "x".repeat(20_000)));
    expect(got).toHaveLength(100);
    expect(port.disconnected).toBe(false);
  });

  it("reports what is no JSON-RPC and goes on", async () => {
    const { port, transport, got } = opened();
    const errors: Error[] = [];
    transport.onerror = (error) => errors.push(error);
    await transport.start();
    for (const wrong of [null, 7, "x", {}, { jsonrpc: "1.0" }]) port.arrive(wrong);
    port.arrive(note(1));
    expect(errors).toHaveLength(5);
    expect(got).toEqual(["n1"]);
  });

  it("tells whether a first message came, or the port fell before", async () => {
    const one = opened();
    one.port.arrive(note(1));
    expect(await one.transport.firstMessage()).toBe(true);
    const other = opened();
    other.port.fall();
    expect(await other.transport.firstMessage()).toBe(false);
  });

  it("closes once, and sends nothing afterwards", async () => {
    const { port, transport } = opened();
    let closes = 0;
    transport.onclose = () => {
      closes += 1;
    };
    await transport.close();
    await transport.close();
    port.fall();
    expect(closes).toBe(1);
    await expect(transport.send({ jsonrpc: "2.0", method: "x" })).rejects.toThrow("closed");
  });
});
