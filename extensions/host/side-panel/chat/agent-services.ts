/** The agent of this panel: one conversation, its settings and its remote agents, over the panel's tools and storage. */
import {
  A2aAgents,
  AgentChat,
  type AgentTimings,
  agentTimings,
  LlmSettings,
  mergeTools,
  Profiles,
  STORE_KEYS,
  type ToolCatalogue,
} from "../../../agent-chat-core/index.ts";
import type { PanelModel } from "../panel-model.ts";
import { loggedFetch, TurnLog } from "./agent-log.ts";
import { ChromeStore } from "./chrome-store.ts";
import { panelTools } from "./panel-tools.ts";

/** `chrome.storage.local`: development overrides of `AGENT_TIMINGS`, in milliseconds. */
export const AGENT_TIMINGS_KEY = "agentTimings";

export interface AgentServices {
  chat: AgentChat;
  profiles: Profiles;
  llm: LlmSettings;
  a2a: A2aAgents;
  catalogue(): ToolCatalogue;
}

const opened = new WeakMap<PanelModel, Promise<AgentServices>>();

/** The one of this panel; opened by the first tab that needs it. A failed opening is tried again by the next. */
export function agentServices(panel: PanelModel): Promise<AgentServices> {
  const known = opened.get(panel);
  if (known) return known;
  const opening = open(panel);
  opened.set(panel, opening);
  opening.catch(() => opened.delete(panel));
  return opening;
}

async function open(panel: PanelModel): Promise<AgentServices> {
  const store = new ChromeStore();
  const timings: AgentTimings = agentTimings(await store.get(AGENT_TIMINGS_KEY));
  const [profiles, llm, a2a] = await Promise.all([
    Profiles.open(store),
    LlmSettings.open(store),
    A2aAgents.open({ store, timings, fetch: loggedFetch(panel.log, "a2a") }),
  ]);
  const catalogue = () => mergeTools(panelTools(panel), a2a.tools);
  const fetcher = loggedFetch(panel.log, "llm");
  const chat = await AgentChat.open({ store, profiles, llm, catalogue, timings, fetch: fetcher });
  const log = new TurnLog(panel.log);
  chat.subscribe((state) => log.take(state));
  const services = { chat, profiles, llm, a2a, catalogue };
  followStorage(services);
  addEventListener("pagehide", () => end(services));
  return services;
}

/** Other panels, imported settings and tests change the storage too. */
function followStorage({ chat, profiles, llm, a2a }: AgentServices): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    const touched = (...keys: string[]) => keys.some((key) => key in changes);
    if (touched(STORE_KEYS.profiles, STORE_KEYS.globalRules)) void profiles.reload();
    if (touched(STORE_KEYS.llm, STORE_KEYS.llmKey, STORE_KEYS.llmKeyOrigin)) void llm.reload();
    if (touched(STORE_KEYS.a2aAgents, STORE_KEYS.a2aTokens)) void a2a.reload();
    if (touched(STORE_KEYS.sessions)) void chat.relist();
  });
}

function end({ chat, a2a }: AgentServices): void {
  a2a.close();
  void chat.close();
}
