/** L1: one official MCP server a port, opened only for an authorized sender. */
import {
  type CallToolResult,
  fromJsonSchema,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  McpServer,
} from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import { isDeeperThan } from "../../contract/limits.ts";
import { MCP_REVISION, PORT_NAME } from "../../contract/lumo.ts";
import { admitTools } from "../../contract/lumo-names.ts";
import { notReadyReason } from "../userscripts/readiness.ts";
import { keptAlive } from "./keep-alive.ts";
import { type Access, policyText, readAccess, standing } from "./policy.ts";
import { admitContact } from "./probe.ts";
import { NAMESPACE, service } from "./protocol.ts";
import { performRead } from "./reads.ts";
import { failureResult } from "./results.ts";
import { speakerOf } from "./speaker.ts";
import { type Arguments, argumentsProblem, TOOLS, type ToolDefinition } from "./tools.ts";
import { PortTransport } from "./transport.ts";
import { performWrite } from "./writes.ts";

/** Listener of `onConnectExternal`; ports of another name are left alone. */
export function onPort(port: chrome.runtime.Port): void {
  if (port.name !== PORT_NAME) return;
  const senderId = speakerOf(port.sender);
  if (senderId === undefined) {
    port.disconnect();
    return;
  }
  const transport = new PortTransport(port);
  open(transport, senderId).catch(() => transport.close());
}

function mayOpen(access: Access, senderId: string): boolean {
  const { enabled, authorized } = standing(access, senderId);
  return enabled && authorized;
}

/**
 * The server is made at the first message, not at the connect: so its instructions are those of `initialize`, and
 * who was taken off the allowlist between the two gets no server.
 */
async function open(transport: PortTransport, senderId: string): Promise<void> {
  if (!mayOpen(await admitContact(senderId), senderId)) return transport.close();
  if (!(await transport.firstMessage())) return;
  const [access, reason] = await Promise.all([readAccess(), notReadyReason()]);
  if (!mayOpen(access, senderId)) return transport.close();
  await newServer(senderId, instructions(access, reason)).connect(transport);
}

function instructions(access: Access, notReady: string | undefined): string {
  return [
    "Userscripts of this browser: scripts that the user has run on the pages that they name with @match.",
    policyText(access.policy, notReady),
    "The policy may change at any time; a call that it forbids answers with the reason.",
  ].join("\n");
}

function newServer(senderId: string, text: string): McpServer {
  const { name, version } = service();
  const server = new McpServer(
    { name, version },
    {
      instructions: text,
      supportedProtocolVersions: [MCP_REVISION],
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    },
  );
  for (const tool of offered()) register(server, tool, senderId);
  return server;
}

/** The protocol's limits hold for this provider too, whatever stands in its table. */
function offered(): ToolDefinition[] {
  const { accepted } = admitTools(
    { id: chrome.runtime.id, namespace: NAMESPACE },
    TOOLS.map((tool) => tool.name),
  );
  return accepted.map((index) => TOOLS[index]!);
}

/** Lets the SDK list the schema but not check it: the policy comes before the arguments, and a bad write is audited. */
const unchecked: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

function register(server: McpServer, tool: ToolDefinition, senderId: string): void {
  const { name, title, description, annotations } = tool;
  const inputSchema = fromJsonSchema<Arguments>(tool.inputSchema as JsonSchemaType, unchecked);
  server.registerTool(name, { title, description, annotations, inputSchema }, (args) =>
    run(tool, senderId, args),
  );
}

/** Levels of arguments that are looked at. No tool here takes more than two. */
const MAX_DEPTH = 64;

function run(tool: ToolDefinition, senderId: string, given: Arguments): Promise<CallToolResult> {
  // an abyss fits no schema and cannot be digested: it is refused, and audited, as no arguments at all
  const args = isDeeperThan(given, MAX_DEPTH) ? {} : given;
  const call = { tool: tool.name, senderId, args, argumentsProblem: argumentsProblem(tool.name, args) };
  const perform = tool.annotations.readOnlyHint ? performRead : performWrite;
  return keptAlive(() => perform(call).catch(storeFailed));
}

/** The store itself failed: whether the change is there has to be looked up. */
function storeFailed(error: unknown): CallToolResult {
  const message = error instanceof Error ? error.message : String(error);
  return failureResult(
    "outcome_unknown",
    `The provider failed: ${message}. List the scripts before you repeat.`,
    "unknown",
  );
}
