/** Whether the extension that injected this script still exists: after a reload the script lives on as an orphan. */
export function extensionAlive(): boolean {
  return chrome.runtime?.id !== undefined;
}
