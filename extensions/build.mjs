// Builds the unpacked extensions and the page app's vendor scripts into dist/.
// node build.mjs [--out DIR]
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { allMessages } from "./locales.mjs";
import { thirdPartyNotices } from "./notices.mjs";

const here = import.meta.dirname;
const { values: options } = parseArgs({
  options: { out: { type: "string", default: path.join(here, "dist") } },
});
const out = path.resolve(options.out);

const common = {
  bundle: true,
  target: "chrome120",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  charset: "utf8",
  logLevel: "warning",
  metafile: true,
  absWorkingDir: here,
};

/** Packages whose own scripts pages under test load as theirs. */
const PREBUILT = ["@mcp-b/global", "@mcp-b/webmcp-local-relay"];
const packageRoot = (name) => path.join(here, "node_modules", name);

/**
 * `@mcp-b/transports` asks for a core package of its own, with a second zod (180 kB). It takes one schema from it, the
 * JSON-RPC message's, so it is given the client's.
 */
const oneMcpCore = {
  name: "one-mcp-core",
  setup(bundle) {
    bundle.onResolve({ filter: /^@modelcontextprotocol\/core$/ }, ({ importer, kind, pluginData }) => {
      if (pluginData === "client's" || !importer.includes("@mcp-b")) return undefined;
      const resolveDir = path.join(packageRoot("@modelcontextprotocol/client"), "dist");
      return bundle.resolve("@modelcontextprotocol/core", { kind, resolveDir, pluginData: "client's" });
    });
  },
};

/** Content scripts are classic scripts, so everything of theirs is one IIFE. */
async function buildHost() {
  const from = path.join(here, "host");
  const to = path.join(out, "host");
  const script = (source, target, extra) =>
    build({ ...common, entryPoints: [path.join(from, source)], outfile: path.join(to, target), ...extra });
  const results = await Promise.all([
    script("main-world/main-world.ts", "main-world.js", {
      format: "iife",
      inject: [path.join(from, "main-world/after-dispatch.ts")],
    }),
    // In every page, and mostly the official client: its names are shortened, and it comes with one zod.
    script("content-script/content-script.ts", "content-script.js", {
      format: "iife",
      minifyIdentifiers: true,
      plugins: [oneMcpCore],
    }),
    script("service-worker/service-worker.ts", "service-worker.js", { format: "esm" }),
    buildPanel(from, to),
  ]);
  await cp(path.join(from, "side-panel/index.html"), path.join(to, "side-panel/index.html"));
  await cp(path.join(from, "side-panel/side-panel.css"), path.join(to, "side-panel/side-panel.css"));
  await writeMessages(path.join(from, "_locales"), path.join(to, "_locales"));
  await cp(path.join(from, "manifest.json"), path.join(to, "manifest.json"));
  return results;
}

/** The frame of the panel is small and paints at once; each tab's code is a chunk that is loaded when it is shown. */
function buildPanel(from, to) {
  return build({
    ...common,
    format: "esm",
    splitting: true,
    entryPoints: [path.join(from, "side-panel/side-panel.ts")],
    outdir: path.join(to, "side-panel"),
    chunkNames: "chunks/[name]-[hash]",
    minifyIdentifiers: true,
  });
}

async function writeMessages(from, to) {
  for (const [language, messages] of await allMessages(from)) {
    await mkdir(path.join(to, language), { recursive: true });
    await writeFile(path.join(to, language, "messages.json"), JSON.stringify(messages));
  }
}

async function buildProvider() {
  const from = path.join(here, "provider");
  const to = path.join(out, "provider");
  const script = (source, target) =>
    build({
      ...common,
      format: "esm",
      entryPoints: [path.join(from, source)],
      outfile: path.join(to, target),
    });
  const results = await Promise.all([
    script("service-worker.ts", "service-worker.js"),
    script("page/page.ts", "page/page.js"),
  ]);
  for (const plain of ["page/index.html", "page/page.css", "_locales", "manifest.json", "conformance.json"]) {
    await cp(path.join(from, plain), path.join(to, plain), { recursive: true });
  }
  return results;
}

/** Third-party scripts that pages under test load as their own, straight from the pinned packages. */
async function buildVendor() {
  const to = path.join(out, "vendor");
  await mkdir(to, { recursive: true });
  await cp(
    path.join(packageRoot("@mcp-b/global"), "dist/index.iife.js"),
    path.join(to, "mcp-b-global.iife.js"),
  );
  await cp(
    path.join(packageRoot("@mcp-b/webmcp-local-relay"), "dist/browser"),
    path.join(to, "local-relay-browser"),
    { recursive: true },
  );
}

await rm(out, { recursive: true, force: true });
const [host, provider] = await Promise.all([buildHost(), buildProvider(), buildVendor()]);
const metafiles = [...host, ...provider].map((result) => result.metafile);
const notices = await thirdPartyNotices(metafiles, here, PREBUILT.map(packageRoot));
await writeFile(path.join(out, "THIRD_PARTY_NOTICES"), notices);
const { version } = JSON.parse(await readFile(path.join(here, "package.json"), "utf8"));
await writeFile(path.join(out, "BUILT"), `${version}\n`);
