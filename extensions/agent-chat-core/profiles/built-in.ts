/** The agents that come with the panel. A stored copy is replaced by these. */
import type { AgentProfile } from "./profile.ts";

export const DEFAULT_AGENT_ID = "tool-debug";

export const BUILT_IN_AGENTS: readonly AgentProfile[] = [
  {
    id: DEFAULT_AGENT_ID,
    name: "Tool debug",
    builtIn: true,
    rules:
      "Help to find out whether one tool works. Choose the tool that the user means, fill in its arguments, call it, then report: what you sent, what came back, and whether it fits the tool's description and schema. Quote errors with their code.",
    inheritGlobalRules: true,
    skills: [],
    callsPerTurn: 1,
  },
  {
    id: "multi-turn-loop",
    name: "Multi-turn loop",
    builtIn: true,
    rules:
      "Work on the task until it is done. Read before you write, call independent tools together, and check the result of each change. When something fails twice in the same way, stop and say what is missing.",
    inheritGlobalRules: true,
    skills: [],
  },
  {
    id: "a2a-analyst",
    name: "A2A analyst",
    builtIn: true,
    rules:
      "Get data from the page's tools, have a remote agent analyse it, and report. Put everything that the remote agent needs into the task's text: the data itself as a table or JSON, and the question. Send no more of the page than the question needs, and nothing secret. Where it asks for input, continue its task with the taskId. In the report keep the page's values and the agent's conclusions apart.",
    inheritGlobalRules: true,
    skills: [
      {
        name: "Handing over data",
        text: "Query the rows first. Send at most some hundred rows; where there are more, ask the page to filter or sum them up. Name the columns and their units.",
      },
    ],
  },
];
