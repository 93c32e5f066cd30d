/** What the provider's own page asks of the worker, the only writer of the store. */
import { isExtensionId, isRecord } from "../contract/lumo.ts";
import type { Policy } from "./agent/policy.ts";
import { isUuid } from "./userscripts/model.ts";

export type PageRequest =
  | { type: "policy/set"; name: keyof Policy; on: boolean }
  | { type: "sender/approve" | "sender/refuse" | "sender/forget"; id: string }
  | { type: "review/approve" | "review/refuse"; id: string }
  | { type: "script/create"; source: string }
  | { type: "script/update"; uuid: string; source: string; version: number }
  | { type: "script/delete"; uuid: string }
  | { type: "script/enable"; uuid: string; enabled: boolean }
  | { type: "script/approve"; uuid: string; digest: string }
  | { type: "registrations/sync" };

/** `message` is for the person; `uuid` of a new script. */
export type PageAnswer = { ok: true; uuid?: string } | { ok: false; message: string };

const POLICY_NAMES: readonly unknown[] = ["endpoint", "write", "review"] satisfies (keyof Policy)[];

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isCount: Check = (value) => Number.isInteger(value);

const SHAPES: Record<PageRequest["type"], Record<string, Check>> = {
  "policy/set": { name: (value) => POLICY_NAMES.includes(value), on: isFlag },
  "sender/approve": { id: isExtensionId },
  "sender/refuse": { id: isExtensionId },
  "sender/forget": { id: isExtensionId },
  "review/approve": { id: isUuid },
  "review/refuse": { id: isUuid },
  "script/create": { source: isText },
  "script/update": { uuid: isUuid, source: isText, version: isCount },
  "script/delete": { uuid: isUuid },
  "script/enable": { uuid: isUuid, enabled: isFlag },
  "script/approve": { uuid: isUuid, digest: isText },
  "registrations/sync": {},
};

/** A message as a request, or `undefined` where it is none. */
export function parsePageRequest(message: unknown): PageRequest | undefined {
  if (!isRecord(message) || typeof message.type !== "string") return undefined;
  const shape = Object.hasOwn(SHAPES, message.type) ? SHAPES[message.type as PageRequest["type"]] : undefined;
  const fits = shape && Object.entries(shape).every(([member, check]) => check(message[member]));
  return fits ? (message as unknown as PageRequest) : undefined;
}
