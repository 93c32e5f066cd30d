/** What every page pays for: the two scripts that are injected into it. */

import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const KILOBYTE = 1_000;
let out;

beforeAll(async () => {
  out = await mkdtemp(path.join(tmpdir(), "webmcp-weight-"));
  await promisify(execFile)(process.execPath, ["build.mjs", "--out", out], {
    cwd: path.resolve(import.meta.dirname, "../.."),
  });
}, 60_000);

afterAll(() => rm(out, { recursive: true, force: true }));

const weight = async (file) => (await stat(path.join(out, "host", file))).size;

it("the MAIN world script weighs at most 60 kB", async () => {
  expect(await weight("main-world.js")).toBeLessThanOrEqual(60 * KILOBYTE);
});

it("the content script does not grow unnoticed: most of it is the official client", async () => {
  expect(await weight("content-script.js")).toBeLessThanOrEqual(330 * KILOBYTE);
});
