import { describe, expect, it } from "vitest";
import { ERROR_META } from "../../contract/errors.ts";
import { failureResult, navigatedResult, toToolResult } from "../../host/main-world/results.ts";

const text = (value: string) => ({ content: [{ type: "text", text: value }] });

describe("toToolResult", () => {
  it.each([
    ["nothing", undefined, { content: [] }],
    ["nothing, as the runtimes write it", "undefined", { content: [] }],
    ["plain text", "hello", text("hello")],
    ["text that only looks like an object", "{hello", text("{hello")],
    ["a number", "7", text("7")],
    ["an array", "[1,2]", text("[1,2]")],
    ["null as a value of the tool", "null", text("null")],
    ["empty text", "", text("")],
  ])("%s", (_, value, expected) => {
    expect(toToolResult(value)).toEqual(expected);
  });

  it("takes an object with a content array as it is", () => {
    const result = { content: [{ type: "image", data: "x" }], isError: true, _meta: { a: 1 }, more: 2 };
    expect(toToolResult(JSON.stringify(result))).toEqual(result);
  });

  it("gives another object as text and as structured content", () => {
    expect(toToolResult('{"a":1}')).toEqual({ ...text('{"a":1}'), structuredContent: { a: 1 } });
    expect(toToolResult('{"content":"none"}').structuredContent).toEqual({ content: "none" });
  });
});

describe("failures", () => {
  const threw =
    "Tool was executed but the invocation failed. For example, the script function threw an error";

  it("passes a thrown message on where the runtime gives it, and knows that the tool ran", () => {
    const result = failureResult("t", new DOMException(`${threw}: out of\nstock`, "UnknownError"));
    expect(result.content[0]).toMatchObject({ text: expect.stringContaining("out of\nstock") });
    expect(result._meta?.[ERROR_META]).toEqual({ code: "page_error", executed: "yes" });
  });

  it("does not claim to know more of any other rejection", () => {
    const result = failureResult("t", new DOMException("Tool not found: t", "UnknownError"));
    expect(result._meta?.[ERROR_META]).toEqual({ code: "page_error", executed: "unknown" });
  });

  it("names the page that a tool navigated to", () => {
    expect(navigatedResult("t", "https://a.test/b").content[0]).toMatchObject({
      text: "navigated: the page navigated to https://a.test/b while the tool t ran. Check before you repeat.",
    });
  });
});
