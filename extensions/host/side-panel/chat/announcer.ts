/** What a screen reader is told of a conversation: its turning points, never the stream of words. */
import type { Session, Turn } from "../../../agent-chat-core/index.ts";
import { t } from "../i18n.ts";
import { profileName } from "./profile-name.ts";

/** Characters of a finished answer that are read out. */
const READ_OUT = 300;

/** Stays the same while there is nothing new to say. */
export function announcement({ turns }: Pick<Session, "turns">): string {
  const turn = turns.at(-1);
  if (!turn) return "";
  if (turn.status === "running") return waitingCall(turn) ?? t("announceRunning", profileName(turn.agent));
  return turn.status === "done" ? t("announceDone", answerOf(turn)) : t(`turn_${turn.status}`);
}

function waitingCall({ messages }: Turn): string | undefined {
  const waiting = messages.at(-1)?.calls.find(({ status }) => status === "consent");
  return waiting && t("allowTool", waiting.name);
}

function answerOf({ messages }: Turn): string {
  return (messages.at(-1)?.text ?? "").slice(0, READ_OUT);
}
