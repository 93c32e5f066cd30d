/** The panel's tools as the agent calls them: pages directly, built-ins and providers through the worker. */
import type { AgentTool, CallOptions, ToolKind } from "../../../agent-chat-core/index.ts";
import type { ToolResult } from "../../../contract/errors.ts";
import type { ProviderView } from "../../../contract/providers.ts";
import { t } from "../i18n.ts";
import { type PanelModel, providerTools } from "../panel-model.ts";
import type { TabSource } from "../tab-sources.ts";
import type { ListedTool } from "../tool-catalogue.ts";

/** What of the panel the tools need. */
export type ToolSource = Pick<PanelModel, "tabs" | "providers" | "builtins" | "call">;

/** Tools of the selected tabs, then of the providers, then the extension's own; as they are at this moment. */
export function panelTools(panel: ToolSource): AgentTool[] {
  const pages = panel.tabs.flatMap((tab) => asAgentTools(panel, "page", tabName(tab), tab.tools));
  const providers = (panel.providers ?? []).flatMap((provider) =>
    asAgentTools(panel, "provider", providerName(provider), providerTools(provider)),
  );
  return [...pages, ...providers, ...asAgentTools(panel, "builtin", t("builtinSource"), panel.builtins)];
}

function tabName({ tab, tabId }: TabSource): string {
  return tab?.title || t("tabNumber", tabId);
}

function providerName({ service, id }: ProviderView): string {
  return service?.name || id;
}

function asAgentTools(
  panel: ToolSource,
  kind: ToolKind,
  source: string,
  tools: readonly ListedTool[],
): AgentTool[] {
  return tools.map(({ publicName, tool }) => ({
    name: publicName,
    kind,
    source,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    inputSchema: tool.inputSchema,
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
    call: (args, options) => run(panel, publicName, args, options),
  }));
}

/** An abort cancels the call where it runs; its result is then `cancelled`, from there. */
async function run(
  panel: ToolSource,
  name: string,
  args: Record<string, unknown>,
  { signal }: CallOptions,
): Promise<ToolResult> {
  const { result, cancel } = panel.call(name, args);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await result;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
