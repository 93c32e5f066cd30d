/** Whether the browser lets this extension run userscripts. */

/**
 * Why scripts cannot run, in the browser's language, or `undefined` where they can.
 *
 * While the toggle is off the API is missing; once it was on, it stays there in a living worker and only refuses to
 * work. So it has to be tried.
 */
export async function notReadyReason(): Promise<string | undefined> {
  try {
    await chrome.userScripts.getScripts({ ids: ["-"] });
    return undefined;
  } catch {
    return chrome.i18n.getMessage("notReadyReason");
  }
}
