/** Tool results: what the model reads, what is stored, and how long a conversation may get. */
import { describe, expect, it } from "vitest";
import { AGENT_LIMITS, type ToolCallRecord, type Turn } from "../../agent-chat-core/index.ts";
import { conversation } from "../../agent-chat-core/session/history.ts";
import { plainText, untrustedText } from "../../agent-chat-core/tools/result-text.ts";
import { storedResult } from "../../agent-chat-core/tools/stored-result.ts";
import { textResult } from "./support/chat.ts";

const bytes = (text: string) => new TextEncoder().encode(text).length;

describe("for the model", () => {
  it.each([
    [
      "text blocks",
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      "a\nb",
    ],
    [
      "an image by name only",
      { content: [{ type: "image", mimeType: "image/png", data: "AAAA" }] },
      "[image image/png, 4 characters of base64, not shown]",
    ],
    ["a resource's text", { content: [{ type: "resource", resource: { uri: "x:1", text: "t" } }] }, "t"],
    [
      "a link, not followed",
      { content: [{ type: "resource_link", uri: "https://x.example" }] },
      "[link https://x.example]",
    ],
    ["structured content where there is no text", { content: [], structuredContent: { a: 1 } }, '{"a":1}'],
    ["nothing", { content: [] }, "(no content)"],
    [
      "misshapen blocks",
      { content: [null, 7, "x", { type: 3 }, { type: "text", text: {} }] },
      "[block , not shown]",
    ],
  ])("has %s", (_what, result, text) => {
    expect(plainText(result)).toBe(text);
  });

  it("is cut at its limit, at a character's end, with a note", () => {
    const text = untrustedText("tab1__big", textResult("ü€😀".repeat(20_000)), "mark");
    expect(bytes(text)).toBeLessThanOrEqual(AGENT_LIMITS.modelResult);
    expect(bytes(text)).toBeGreaterThan(AGENT_LIMITS.modelResult - 1_000);
    expect(text).not.toContain("\uFFFD");
    expect(text).toMatch(
      /\n\[end #mark\]\n\[cut: the first \d+ of 180000 bytes\. Ask for less at a time\.\]$/,
    );
  });

  it("is whole below the limit", () => {
    expect(untrustedText("t", textResult("x".repeat(31_000)), "m")).not.toContain("[cut");
  });
});

describe("for the store", () => {
  it.each([
    ["nothing", undefined],
    ["a text", "ok"],
    ["no content", { ok: true }],
    ["content that is no list", { content: "ok" }],
    ["a value without JSON", { content: [1n] }],
  ])("makes an error of %s", (_what, given) => {
    expect(storedResult(given).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^page_error: /) }],
    });
  });

  it("copies: what the tool changes later does not matter", () => {
    const given = textResult("before");
    const { result } = storedResult(given);
    given.content = [];
    expect(result).toEqual(textResult("before"));
  });

  it("keeps the error mark of a result that is cut", () => {
    const given = { ...textResult("x".repeat(300_000)), isError: true };
    expect(storedResult(given)).toMatchObject({ resultCut: true, result: { isError: true } });
  });
});

function turnWith(id: string, text: string): Turn {
  const call: ToolCallRecord = {
    id: `call-${id}`,
    name: "tab1__read",
    kind: "page",
    badge: "TOOL",
    source: "",
    args: {},
    status: "done",
    result: textResult(text),
  };
  const messages = [{ status: "done" as const, text: "", calls: [call] }];
  return {
    id,
    at: 0,
    text: `question ${id}`,
    agent: { id: "a", name: "A" },
    model: "m",
    status: "done",
    messages,
  };
}

describe("a long conversation", () => {
  it("loses the oldest results, and no word and no pair of call and result", () => {
    const turns = Array.from({ length: 20 }, (_, n) => turnWith(String(n), `${n}:${"x".repeat(31_000)}`));
    const messages = conversation(turns);
    expect(JSON.stringify(messages).length).toBeLessThan(AGENT_LIMITS.history + 40_000);
    const results = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
    expect(results).toHaveLength(20);
    expect(results[0]?.text).toMatch(/left out/);
    expect(results.at(-1)?.text).toMatch(/\n19:x/);
    expect(messages.filter(({ role }) => role === "user")).toHaveLength(20);
  });

  it("has the same marks each time it is sent", () => {
    const turns = [turnWith("1", "a"), turnWith("2", "b")];
    expect(conversation(turns)).toEqual(conversation([...turns]));
  });
});
