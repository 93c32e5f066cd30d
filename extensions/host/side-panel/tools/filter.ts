/** Finds tools by what a person types. */
import type { ListedTool } from "../tool-catalogue.ts";

/** Tools with all the words in their name, title or description, in any case. */
export function matching(tools: readonly ListedTool[], wanted: string): readonly ListedTool[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return tools;
  return tools.filter(({ publicName, tool }) => {
    const text = `${publicName} ${tool.title ?? ""} ${tool.description ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
