// The texts of an extension: `_locales/<language>/*.json` are fragments, one for each part of the panel.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** One language's fragments as the one file that Chromium wants; a key in two fragments is an error. */
export async function mergedMessages(folder) {
  const merged = {};
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".json")).sort()) {
    const fragment = JSON.parse(await readFile(path.join(folder, name), "utf8"));
    const taken = Object.keys(fragment).find((key) => Object.hasOwn(merged, key));
    if (taken)
      throw new Error(`${name}: "${taken}" stands in another fragment of ${folder} too. Rename one.`);
    Object.assign(merged, fragment);
  }
  return merged;
}

/** The languages of a `_locales` folder, each with its merged messages. */
export async function allMessages(locales) {
  const languages = (await readdir(locales)).sort();
  const messages = await Promise.all(languages.map((name) => mergedMessages(path.join(locales, name))));
  return new Map(languages.map((name, index) => [name, messages[index]]));
}
