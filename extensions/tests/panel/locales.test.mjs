import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { allMessages } from "../../locales.mjs";

const LOCALES = path.join(import.meta.dirname, "../../host/_locales");
const placeholders = (message) => (message.match(/\$(\d|\$+)/g) ?? []).sort();

describe("the panel's languages", async () => {
  const languages = await allMessages(LOCALES);
  const english = languages.get("en");
  const chinese = languages.get("zh_CN");

  it("are English and Simplified Chinese", () => {
    expect([...languages.keys()]).toEqual(["en", "zh_CN"]);
  });

  it("have the same fragments with the same texts in the same order", async () => {
    for (const fragment of await readdir(path.join(LOCALES, "en"))) {
      const keys = async (language) =>
        Object.keys(JSON.parse(await readFile(path.join(LOCALES, language, fragment), "utf8")));
      expect(await keys("zh_CN"), fragment).toEqual(await keys("en"));
    }
    expect(Object.keys(chinese)).toEqual(Object.keys(english));
  });

  it("fill the same placeholders", () => {
    for (const [key, { message }] of Object.entries(english)) {
      expect(placeholders(chinese[key].message), key).toEqual(placeholders(message));
    }
  });
});
