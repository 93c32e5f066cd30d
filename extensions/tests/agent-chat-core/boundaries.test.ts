/** The core has no look and needs no browser: it runs, whole, where there is nothing but what is listed here. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createContext, runInContext } from "node:vm";
import { build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { textResult } from "./support/chat.ts";
import { startModel } from "./support/model-server.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const CORE = path.join(ROOT, "agent-chat-core");
const PACKAGES = ["openai", "@anthropic-ai/sdk", "@cfworker/json-schema"];

/** Everything of the platform that the core may use. */
const PLATFORM = {
  fetch,
  Headers,
  Request,
  Response,
  FormData,
  Blob,
  ReadableStream,
  AbortController,
  AbortSignal,
  DOMException,
  TextEncoder,
  TextDecoder,
  URL,
  URLSearchParams,
  crypto,
  setTimeout,
  clearTimeout,
  structuredClone,
  // A realm has its own of these; the platform's streams give the platform's.
  ArrayBuffer,
  Uint8Array,
};

function sources(): string[] {
  const files = readdirSync(CORE, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".ts")).map((file) => path.join(CORE, file));
}

/** A source without its comments and texts. */
function codeOf(file: string): string {
  return readFileSync(file, "utf8")
    .replace(/`(?:\\.|[^\\`])*`|"(?:\\.|[^\\"\n])*"/g, '""')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}

describe("what the core imports", () => {
  it("is itself, the contract, and three packages", () => {
    const outside = sources().flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"([^"]+)"/g)]
        .map((match) => match[1] ?? "")
        .filter((name) => !PACKAGES.includes(name))
        .map((name) => path.relative(ROOT, path.resolve(path.dirname(file), name)))
        .filter((name) => !/^(agent-chat-core|contract)\//.test(name)),
    );
    expect(outside).toEqual([]);
  });

  it.each(["chrome", "browser", "window", "document", "navigator", "localStorage", "indexedDB", "self"])(
    "is never the global %s",
    (name) => {
      const global = new RegExp(`(?<![.\\w$])${name}\\s*[.?[(]`);
      expect(sources().filter((file) => global.test(codeOf(file)))).toEqual([]);
    },
  );
});

describe("the bundle", () => {
  let code = "";
  let metafile: Metafile;

  beforeAll(async () => {
    const bundle = await build({
      entryPoints: [path.join(CORE, "index.ts")],
      bundle: true,
      write: false,
      metafile: true,
      format: "iife",
      globalName: "core",
      platform: "browser",
      target: "es2023",
      minify: true,
    });
    code = bundle.outputFiles[0]?.text ?? "";
    metafile = bundle.metafile;
  });

  it("has a whole turn with a tool in a bare realm that allows no code from text", async () => {
    const model = await startModel("anthropic", [
      { calls: [{ name: "tab1__echo", args: { text: "hi" } }] },
      { text: ["It said hi."] },
    ]);
    const realm = createContext(
      { ...PLATFORM, model, textResult },
      { codeGeneration: { strings: false, wasm: false } },
    );
    runInContext(code, realm);
    const status = await (runInContext(TURN, realm) as Promise<string>);
    expect(status).toBe("done: It said hi.");
    expect(() => runInContext("new Function('return 1')()", realm)).toThrow(/disallowed/);
  });

  it("is small enough for the extension, whose zip may have 1.5 MB", () => {
    expect(code.length).toBeLessThan(800_000);
    expect(Object.keys(metafile.inputs).filter((file) => /(^|\/)(host|provider)\//.test(file))).toEqual([]);
  });
});

const TURN = `(async () => {
  const store = new core.MemoryStore();
  const profiles = await core.Profiles.open(store);
  const llm = await core.LlmSettings.open(store);
  await llm.save({ protocol: "anthropic", baseUrl: model.url, path: "/v1/messages", model: "m", maxTokens: 9 }, "key");
  const echo = {
    name: "tab1__echo", kind: "page", source: "", inputSchema: { type: "object", required: ["text"] },
    call: async ({ text }) => textResult(text),
  };
  const chat = await core.AgentChat.open({
    store, profiles, llm, timings: { backoffFirst: 1 }, catalogue: () => core.mergeTools([echo]),
  });
  await chat.send("echo hi");
  const turn = chat.state.session.turns[0];
  return turn.status + ": " + (turn.error?.message ?? turn.messages.at(-1).text);
})()`;
