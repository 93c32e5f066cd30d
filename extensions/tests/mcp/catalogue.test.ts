import { describe, expect, it } from "vitest";
import type { ProviderState } from "../../contract/providers.ts";
import { claimNamespaces, namespaceOf, type Shelved, shelve } from "../../host/mcp/catalogue.ts";
import { parseListing } from "../../host/mcp/listing.ts";

const A = "a".repeat(32);
const B = "b".repeat(32);

function service(namespace: string) {
  return { namespace, name: "Any", version: "1" };
}

function provider(id: string, namespace: string, names: string[] = ["echo"]): Shelved {
  const of = service(namespace);
  const listing = parseListing(names.map((name) => ({ name, inputSchema: { type: "object" } })));
  return { id, state: { state: "connected", service: of }, checking: false, service: of, listing };
}

function inState(state: ProviderState, checking = false): Shelved {
  return { ...provider(A, "notes"), state, checking };
}

function shelfOf(subject: Shelved, owners = claimNamespaces([subject], new Map())) {
  return shelve(subject, owners);
}

describe("claimNamespaces", () => {
  it("goes by the order of the list, not of answering", () => {
    expect(claimNamespaces([provider(A, "notes"), provider(B, "notes")], new Map()).get("notes")).toBe(A);
    expect(claimNamespaces([provider(B, "notes"), provider(A, "notes")], new Map()).get("notes")).toBe(B);
  });

  it("leaves a namespace to the one that had it", () => {
    const owners = new Map([["notes", B]]);
    expect(claimNamespaces([provider(A, "notes"), provider(B, "notes")], owners).get("notes")).toBe(B);
  });

  it("waits for an earlier provider that is asked for the first time", () => {
    const asked = inState({ state: "unknown" }, true);
    expect(claimNamespaces([asked, provider(B, "notes")], new Map()).size).toBe(0);
    expect(shelve(provider(B, "notes"), new Map()).tools).toEqual([]);
    const resting = inState({ state: "unknown" });
    expect(claimNamespaces([resting, provider(B, "notes")], new Map()).get("notes")).toBe(B);
  });

  it.each(["disabled", "not_authorized", "timeout"] as const)(
    "gives nothing to a provider that is %s",
    (code) => {
      expect(claimNamespaces([inState({ state: "error", code, text: "" })], new Map()).size).toBe(0);
    },
  );

  it("keeps a namespace with the name of a member of every object", () => {
    expect(shelfOf(provider(A, "constructor")).tools[0]!.publicName).toBe("ext__constructor__echo");
  });

  it.each(["browser", "a__b", "A", ""])("lets nobody own %o", (namespace) => {
    expect(claimNamespaces([provider(A, namespace)], new Map()).size).toBe(0);
  });
});

describe("shelve", () => {
  it("names a tool after its namespace", () => {
    expect(shelfOf(provider(A, "notes", ["Read-1"])).tools).toMatchObject([
      { publicName: "ext__notes__Read-1", tool: { name: "Read-1" } },
    ]);
  });

  it("keeps the first 64 and names the rest", () => {
    const names = Array.from({ length: 66 }, (_, at) => `tool${at}`);
    const shelf = shelfOf(provider(A, "notes", names));
    expect(shelf.tools.map(({ tool }) => tool.name)).toEqual(names.slice(0, 64));
    expect(shelf.rejected.map(({ name, rule }) => [name, rule])).toEqual([
      ["tool64", "too_many"],
      ["tool65", "too_many"],
    ]);
  });

  it("counts rejections that are too many to name", () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `tool${at}`);
    const shelf = shelfOf(provider(A, "notes", names));
    expect(shelf.rejected).toHaveLength(256);
    expect(shelf.rejected.length + shelf.moreRejected).toBe(1_000 - 64);
  });

  it.each([
    ["browser", "reserved"],
    ["a__b", "namespace"],
  ])("rejects every tool of the namespace %s", (namespace, rule) => {
    const shelf = shelfOf(provider(A, namespace, ["one", "two"]));
    expect(shelf.tools).toEqual([]);
    expect(shelf.rejected.map((entry) => entry.rule)).toEqual([rule, rule]);
  });

  it("rejects every tool under a foreign namespace", () => {
    const shelf = shelve(provider(A, "notes"), new Map([["notes", B]]));
    expect(shelf.rejected).toMatchObject([{ name: "echo", rule: "namespace_taken" }]);
  });

  it("says what is wrong with a tool that is none, and keeps the others", () => {
    const of = service("notes");
    const listing = parseListing([
      { name: "bad", inputSchema: "none" },
      7,
      { name: "good", inputSchema: { type: "object" } },
    ]);
    const shelf = shelfOf({ ...provider(A, "notes"), service: of, listing });
    expect(shelf.tools.map(({ tool }) => tool.name)).toEqual(["good"]);
    expect(shelf.rejected).toMatchObject([
      { name: "", rule: "tool_name" },
      { name: "bad", rule: "shape" },
    ]);
  });

  it("keeps the tools of a provider that is not ready, and of no other error", () => {
    const owners = new Map([["notes", A]]);
    expect(shelve(inState({ state: "error", code: "not_ready", text: "" }), owners).tools).toHaveLength(1);
    for (const code of ["disabled", "timeout", "not_installed", "incomplete"] as const) {
      expect(shelve(inState({ state: "error", code, text: "" }), owners).tools).toEqual([]);
    }
  });
});

describe("namespaceOf", () => {
  it.each([
    ["ext__notes__echo", "notes"],
    ["ext__a_b__c__d", "a_b"],
    ["ext__notes", undefined],
    ["ext____echo", undefined],
    ["tab1__notes__echo", undefined],
  ])("%s is of %o", (name, namespace) => {
    expect(namespaceOf(name)).toBe(namespace);
  });
});
