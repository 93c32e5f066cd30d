import { describe, expect, it } from "vitest";
import { REDACTED, redact, redactText, secretForms } from "../../host/side-panel/log/redact.ts";

const KEY = "k3y/with+odd=chars";

describe("what is written down", () => {
  it("loses members that are secrets by their name, at any depth", () => {
    const request = {
      headers: { Authorization: "anything", "X-Api-Key": "anything", accept: "json", Cookie: "a=b" },
      apiKey: 7,
      token: "",
      list: [{ access_token: "t", tokens: ["t"], max_tokens: 100 }],
    };
    expect(redact(request)).toEqual({
      headers: { Authorization: REDACTED, "X-Api-Key": REDACTED, accept: "json", Cookie: REDACTED },
      apiKey: REDACTED,
      token: "",
      list: [{ access_token: REDACTED, tokens: REDACTED, max_tokens: 100 }],
    });
  });

  it.each([
    ["Bearer abcdef123456", REDACTED],
    ["key sk-live-1234567890 was used", `key ${REDACTED} was used`],
    ["https://x.test/a?token=abc&b=1", `https://x.test/a?token=${REDACTED}&b=1`],
    ["https://user:hidden@x.test/", `https://user:${REDACTED}@x.test/`],
    ["eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", REDACTED],
    ["tool tokenizer got 12 tokens", "tool tokenizer got 12 tokens"],
  ])("%s", (text, clean) => {
    expect(redactText(text)).toBe(clean);
  });

  it("loses known secrets wherever and however they stand, names of members too", () => {
    const written = {
      plain: `<${KEY}>`,
      url: `https://x.test/${encodeURIComponent(KEY)}`,
      base64: btoa(KEY),
      json: JSON.stringify({ KEY: `"${KEY}` }),
      [KEY]: 1,
    };
    const clean = JSON.stringify(redact(written, secretForms({ a2a: { token: KEY } })));
    for (const form of [KEY, encodeURIComponent(KEY), btoa(KEY).replace(/=+$/, "")])
      expect(clean).not.toContain(form);
    expect(clean.split(REDACTED)).toHaveLength(6);
  });

  it("keeps short words that happen to be stored as a secret, and takes the longer of two", () => {
    expect(redactText("abc longer long", secretForms({ a: "abc", b: ["long", "longer"] }))).toBe(
      `abc ${REDACTED} ${REDACTED}`,
    );
  });
});
