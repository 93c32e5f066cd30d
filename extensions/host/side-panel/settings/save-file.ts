/** Gives the user a file. */

/** Starts a download; the URL is let go of once the browser has begun with it. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** `lumo-log-2026-10-02.jsonl` */
export function dated(stem: string, ending: string): string {
  return `${stem}-${new Date().toISOString().slice(0, 10)}.${ending}`;
}
