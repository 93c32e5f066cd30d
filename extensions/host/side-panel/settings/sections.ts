/** Everything that a settings file has, in its order. */
import { a2aSection } from "../a2a/a2a-section.ts";
import { profilesSection } from "../chat/profiles-section.ts";
import { OWN_SECTIONS } from "../transfer/own-sections.ts";
import type { SettingsSection } from "../transfer/section.ts";
import { llmSection } from "./llm-section.ts";

export const SECTIONS: readonly SettingsSection[] = [
  ...OWN_SECTIONS,
  llmSection,
  profilesSection,
  a2aSection,
];
