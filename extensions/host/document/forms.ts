/** Declarative tools: `<form toolname tooldescription [toolautosubmit]>`. Used by both worlds, which share the DOM. */

/** The form behind a tool of that name, in one document; `undefined` for a tool registered by script. */
export function formOfTool(root: Document | undefined, name: string): HTMLFormElement | undefined {
  const forms = root?.querySelectorAll<HTMLFormElement>("form[toolname]") ?? [];
  return [...forms].find((form) => form.getAttribute("toolname") === name);
}

export function isAutosubmit(form: HTMLFormElement): boolean {
  return form.hasAttribute("toolautosubmit");
}

/** The answer of an autosubmit form whose submission leaves the document: it worked, and the page is another one. */
export const SUBMITTED_TEXT =
  "The form was submitted and its document navigates to the answer. Read the new page before you go on.";
