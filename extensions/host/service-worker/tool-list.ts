/** A tool list that one frame can carry. */

import { jsonBytes } from "../../contract/limits.ts";
import type { PageTool } from "../../contract/page-tools.ts";

/** Room for `{"type":"tools/changed","tools":[]}` around the tools. */
const ENVELOPE = 64;

/**
 * The first tools, in the page's order, that fit into a frame of `room` bytes, and how many did not. A frame over
 * the peer's limit would cost the socket, and with it every tool.
 */
export function listThatFits(tools: PageTool[], room: number): { tools: PageTool[]; dropped: number } {
  let left = room - ENVELOPE;
  const fitting = tools.filter((tool) => {
    const bytes = jsonBytes(tool) + 1;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
  return { tools: fitting, dropped: tools.length - fitting.length };
}
