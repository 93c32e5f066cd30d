/** Who speaks over an external message or port. */
import { isExtensionId } from "../../contract/lumo.ts";

/**
 * The id of the extension, where its worker or one of its own pages speaks. A content script has the id too, but runs
 * in a web page's process: who takes that over must not get what the person gave to the extension.
 */
export function speakerOf(sender: chrome.runtime.MessageSender | undefined): string | undefined {
  const id = sender?.id;
  if (!isExtensionId(id)) return undefined;
  return sender?.url?.startsWith(`chrome-extension://${id}/`) ? id : undefined;
}
