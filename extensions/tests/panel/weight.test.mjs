/** What a person downloads and what the panel reads before it is seen; and that its policy lets all of it run. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";

const KILOBYTE = 1_000;
/** Local and central header of a zip's entry, without the name, which stands in both. */
const ENTRY_HEADERS = 76;
let out;
let host;

beforeAll(async () => {
  out = await mkdtemp(path.join(tmpdir(), "webmcp-weight-"));
  await promisify(execFile)(process.execPath, ["build.mjs", "--out", out], {
    cwd: path.resolve(import.meta.dirname, "../.."),
  });
  host = await filesOf(path.join(out, "host"));
}, 60_000);

afterAll(() => rm(out, { recursive: true, force: true }));

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const contents = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
  return new Map(names.map((name, index) => [name, contents[index]]));
}

/** A script of the panel and everything that it imports at once. */
function loadedAtOnce(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const source = host.get(name).toString();
  for (const [, target] of source.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) {
    loadedAtOnce(path.join(path.dirname(name), target), found);
  }
  return found;
}

it("the host extension is at most 1.5 MB as a zip", () => {
  const sizes = [...host].map(([name, content]) => {
    return deflateRawSync(content).length + 2 * name.length + ENTRY_HEADERS;
  });
  const zip = sizes.reduce((sum, size) => sum + size, 0);
  expect(zip).toBeGreaterThan(100 * KILOBYTE);
  expect(zip).toBeLessThanOrEqual(1_500 * KILOBYTE);
});

it("no script makes code of text: the extension's policy forbids it", () => {
  const scripts = [...host].filter(([name]) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(5);
  for (const [name, content] of scripts) {
    expect(content.toString(), name).not.toMatch(/new Function\(|(?<![.\w$])eval\(|\bFunction\("/);
  }
});

it("the panel's first scripts have no model client, Markdown or sanitizer in them", () => {
  const first = [...loadedAtOnce("side-panel/side-panel.js")];
  const size = first.reduce((sum, name) => sum + host.get(name).length, 0);
  expect(first.length).toBeGreaterThan(1);
  expect(size).toBeLessThanOrEqual(110 * KILOBYTE);
});
