/** How often the panel draws, and what it reads out, while an answer streams. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Turn } from "../../agent-chat-core/index.ts";
import { announcement } from "../../host/side-panel/chat/announcer.ts";
import { FrameBatch } from "../../host/side-panel/chat/frame-batch.ts";

describe("drawing", () => {
  let frames: (() => void)[] = [];
  const nextFrame = async () => {
    for (const frame of frames.splice(0)) frame();
    await vi.advanceTimersByTimeAsync(0);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    frames = [];
    vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("happens once a frame, however many changes there are, and not without one", async () => {
    const draw = vi.fn(async () => {});
    const batch = new FrameBatch(draw);
    for (let change = 0; change < 50; change++) batch.request();
    expect(draw).not.toHaveBeenCalled();
    await nextFrame();
    expect(draw).toHaveBeenCalledTimes(1);
    await nextFrame();
    expect(draw).toHaveBeenCalledTimes(1);
  });

  it("loses no change that comes while it draws", async () => {
    let finish = () => {};
    const draw = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    const batch = new FrameBatch(draw);
    batch.request();
    await nextFrame();
    batch.request();
    finish();
    await vi.advanceTimersByTimeAsync(0);
    await nextFrame();
    expect(draw).toHaveBeenCalledTimes(2);
  });

  it("leaves twice its own time to the user where it is slow", async () => {
    const draw = vi.fn(() => new Promise<void>((resolve) => void setTimeout(resolve, 30)));
    const batch = new FrameBatch(draw);
    batch.request();
    await nextFrame();
    batch.request();
    await vi.advanceTimersByTimeAsync(30 + 59);
    expect(frames).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(frames).toHaveLength(1);
  });
});

describe("what is read out", () => {
  beforeEach(() => {
    const getMessage = (key: string, fillings: string[]) => [key, ...fillings].join(" ");
    vi.stubGlobal("chrome", { i18n: { getMessage } });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const turn = (change: Partial<Turn>): Turn => ({
    id: "t",
    at: 0,
    text: "",
    agent: { id: "own-1", name: "Mine" },
    model: "m",
    status: "running",
    messages: [],
    ...change,
  });
  const answer = (text: string): Turn["messages"] => [{ status: "streaming", text, calls: [] }];
  const of = (change: Partial<Turn>) => announcement({ turns: [turn(change)] });

  it("does not change with each word", () => {
    expect(of({ messages: answer("One") })).toBe(of({ messages: answer("One two three") }));
  });

  it("is the answer when it is whole, cut", () => {
    expect(of({ status: "done", messages: answer("All of it.") })).toBe("announceDone All of it.");
    expect(of({ status: "done", messages: answer("x".repeat(10_000)) }).length).toBeLessThan(400);
  });

  it("is the question for consent", () => {
    const call = { id: "c", name: "tab1__drop", status: "consent" } as Turn["messages"][0]["calls"][0];
    expect(of({ messages: [{ status: "done", text: "", calls: [call] }] })).toBe("allowTool tab1__drop");
  });

  it("is nothing in a new session", () => {
    expect(announcement({ turns: [] })).toBe("");
  });
});
