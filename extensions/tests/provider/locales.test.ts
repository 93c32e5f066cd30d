import { describe, expect, it } from "vitest";
import english from "../../provider/_locales/en/messages.json";
import chinese from "../../provider/_locales/zh_CN/messages.json";

type Messages = Record<string, { message: string }>;
const fillings = (text: string) => [...text.matchAll(/\$\d/g)].map(([mark]) => mark).sort();

describe("locales", () => {
  it("have the same keys and the same fillings, and no empty text", () => {
    expect(Object.keys(chinese)).toEqual(Object.keys(english));
    for (const [key, { message }] of Object.entries(english as Messages)) {
      const translated = (chinese as Messages)[key]!.message;
      expect(translated, key).not.toBe("");
      expect(fillings(translated), key).toEqual(fillings(message));
    }
  });

  it("keep the reason within the protocol's 200 characters", () => {
    for (const { notReadyReason } of [english, chinese]) {
      expect(notReadyReason.message.length).toBeLessThanOrEqual(200);
    }
  });
});
