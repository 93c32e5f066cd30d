/** An agent's card: fetched, validated, cut. Cards are of 0.3 or 1.0; nothing in them is trusted. */
import { AgentFailure } from "../errors.ts";
import { isRecord, recordsOf, textOf, webUrl } from "../parse.ts";
import type { A2aAgent, A2aCard } from "./binding.ts";
import { type Requester, requestJson } from "./http.ts";

const MAX_NAME = 100;
const MAX_DESCRIPTION = 1_000;
const MAX_SKILLS = 20;

/** One way to talk to the agent that its card offers. */
interface Interface {
  url: string;
  protocol: A2aCard["protocol"];
  tenant: string;
}

/** Throws `a2a_card`, or what `requestJson` throws. */
export async function fetchCard(agent: A2aAgent, requester: Requester): Promise<A2aCard> {
  const card = parseCard(await requestJson(agent.cardUrl, { method: "GET" }, requester), agent);
  if (requester.token !== "") assertTokenMayGo(card, agent);
  return card;
}

export function parseCard(body: unknown, agent: A2aAgent): A2aCard {
  if (!isRecord(body)) throw unusable("it is no JSON object");
  const name = textOf(body.name, MAX_NAME).trim();
  if (name === "") throw unusable("it has no name");
  const way = endpointOf(body, agent.endpoint);
  return {
    name,
    description: textOf(body.description, MAX_DESCRIPTION),
    skills: recordsOf(body.skills).slice(0, MAX_SKILLS).map(parseSkill),
    endpoint: way.url,
    protocol: way.protocol,
    ...(way.tenant === "" ? {} : { tenant: way.tenant }),
  };
}

function parseSkill({ id, name, description }: Record<string, unknown>): A2aCard["skills"][number] {
  return {
    id: textOf(id, MAX_NAME),
    name: textOf(name, MAX_NAME),
    description: textOf(description, MAX_DESCRIPTION),
  };
}

/** 0.3 comes first: both generations of agents speak it. An override takes the place of the card's URL. */
function endpointOf(card: Record<string, unknown>, override: string | undefined): Interface {
  const offered = interfacesOf(card);
  const best = offered.find(({ protocol }) => protocol === "0.3") ?? offered[0];
  if (override !== undefined) return { protocol: "0.3", tenant: "", ...best, url: override };
  if (!best) throw unusable("it offers no JSON-RPC endpoint with an http(s) URL");
  return best;
}

function interfacesOf(card: Record<string, unknown>): Interface[] {
  const { url, preferredTransport = "JSONRPC", protocolVersion = "0.3" } = card;
  const old = [{ url, transport: preferredTransport }, ...recordsOf(card.additionalInterfaces)];
  return [
    ...old.flatMap((entry) => interfaceOf(entry.url, entry.transport, protocolVersion)),
    ...recordsOf(card.supportedInterfaces).flatMap((entry) =>
      interfaceOf(entry.url, entry.protocolBinding, entry.protocolVersion ?? "1.0", entry.tenant),
    ),
  ];
}

function interfaceOf(url: unknown, binding: unknown, version: unknown, tenant?: unknown): Interface[] {
  const parsed = webUrl(url);
  if (!parsed || binding !== "JSONRPC") return [];
  const protocol = textOf(version).startsWith("0.") ? "0.3" : "1.0";
  return [{ url: parsed.href, protocol, tenant: textOf(tenant, MAX_NAME) }];
}

/** A card could send the user's token anywhere: only an endpoint that the user entered may be of another origin. */
function assertTokenMayGo(card: A2aCard, agent: A2aAgent): void {
  const { origin, host } = new URL(card.endpoint);
  if (agent.endpoint !== undefined || origin === new URL(agent.cardUrl).origin) return;
  throw unusable(
    `its endpoint is at ${host}, which is not the card's own place, so the token is not sent there`,
  );
}

function unusable(why: string): AgentFailure {
  const mend = "Check the card URL, or enter the agent's endpoint yourself.";
  return AgentFailure.of("a2a_card", `The agent's card cannot be used: ${why}. ${mend}`);
}
