/** What a model's Markdown may become. That nothing of it runs or loads in the real panel is a scenario's matter. */
import { describe, expect, it } from "vitest";
import { MarkdownStream, markdownBlocks, webAddress } from "../../host/side-panel/chat/markdown.ts";

const html = (text: string) =>
  markdownBlocks(text)
    .map((block) => block.html)
    .join("");

/** All tags that the HTML opens, with their attributes. */
const tags = (text: string) => [...html(text).matchAll(/<([a-z][^\s>]*)([^>]*)>/gi)].map((match) => match[0]);

const SAMPLE = `# Orders

Intro with **bold**, \`code\` and <b>html</b>.

- one
- two
  continued

1. first

   with a paragraph
2. second

| id | total |
|----|------:|
| 1  | 20.50 |
| 2  | <img src=x onerror=alert(1)> |

\`\`\`ts
const a = "<script>";

const b = 1;
\`\`\`

> quote
> goes on

<div onclick="alert(1)">

block

</div>

The end, [a link](https://a.example/x?y=1&z=2).
`;

describe("HTML in Markdown", () => {
  it.each([
    "<script>alert(1)</script>",
    "text <img src=x onerror=alert(1)> text",
    '<svg/onload=alert(1)><a href="javascript:alert(1)">x</a>',
    "<div onclick=alert(1)>\n\nx\n\n</div>",
    "<!-- <script>alert(1)</script> -->",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<style>*{background:url(https://evil.example)}</style>",
    "> - <object data=x>",
    "| a |\n|---|\n| <img src=x> |",
    "# <img src=x>",
    "&lt;img src=x onerror=alert(1)&gt;",
    "&#60;img src=x&#62;",
    "\\<img src=x>",
    "[<img src=x>](https://a.example)",
    "```\n</code></pre><img src=x>\n```",
    "`</code><img src=x>`",
    '```x"><img src=x>\ncode\n```',
  ])("%j becomes text", (text) => {
    const opened = tags(text).map((tag) => /^<([a-z0-9]+)/i.exec(tag)?.[1]);
    expect(opened).not.toContain(undefined);
    const plain = /^(p|h3|code|pre|blockquote|ul|ol|li|a|table|thead|tbody|tr|th|td|br)$/;
    expect(opened.filter((name) => !plain.test(name ?? ""))).toEqual([]);
    expect(tags(text).join("")).not.toMatch(/\son\w+=|src=|style=|srcdoc/i);
  });
});

describe("links", () => {
  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "&#106;avascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "chrome://settings",
    "chrome-extension://abc/side-panel/index.html",
    "blob:https://a.example/x",
    "//evil.example/x",
    "/relative",
    "#hash",
    "",
  ])("to %j are no links", (href) => {
    expect(webAddress(href)).toBeUndefined();
    expect(html(`[text](<${href}>)`)).not.toContain("<a ");
    expect(html(`![text](<${href}>)`)).not.toMatch(/<a |<img/);
  });

  it("open elsewhere and tell nobody where they were", () => {
    expect(html("[x](https://a.example/)")).toBe(
      '<p><a href="https://a.example/" title="https://a.example/" target="_blank" rel="noopener noreferrer">x</a></p>\n',
    );
  });

  it("cannot break out of their attributes", () => {
    const made = html(
      '[x](https://a.example/"onmouseover=alert(1)) [y](https://a.example "ti\\"tle onclick=x")',
    );
    expect(made).not.toMatch(/"\s*onmouseover|onclick/);
  });

  it("stand in place of images, which would load by themselves", () => {
    const made = html("![a <b>chart</b>](https://evil.example/pixel.png?secret=1)");
    expect(made).not.toContain("<img");
    expect(made).toContain('href="https://evil.example/pixel.png?secret=1"');
  });
});

describe("a text that grows", () => {
  it("has at each character the blocks that it has when read whole", () => {
    const stream = new MarkdownStream();
    for (let length = 0; length <= SAMPLE.length; length++) {
      const text = SAMPLE.slice(0, length);
      expect(stream.update(text), `after ${JSON.stringify(text.slice(-20))}`).toEqual(markdownBlocks(text));
    }
  });

  it("may be replaced by another", () => {
    const stream = new MarkdownStream();
    stream.update(SAMPLE);
    expect(stream.update("other")).toEqual(markdownBlocks("other"));
    expect(stream.update("")).toEqual([]);
  });

  it("may have carriage returns", () => {
    const stream = new MarkdownStream();
    const text = SAMPLE.replaceAll("\n", "\r\n");
    for (let length = 0; length <= text.length; length += 7) stream.update(text.slice(0, length));
    expect(stream.update(text)).toEqual(markdownBlocks(text));
  });

  it("keeps the blocks that are settled", () => {
    const stream = new MarkdownStream();
    const [first] = stream.update("one\n\ntwo\n\nthree\n\nfour\n\nfive");
    expect(stream.update("one\n\ntwo\n\nthree\n\nfour\n\nfive goes on")[0]).toBe(first);
  });
});

describe("a text that would keep its reader busy", () => {
  const still = () => 0;
  const DEEP = ">".repeat(20_000);

  it("is shown as it is where the reader breaks down", () => {
    const stream = new MarkdownStream(still);
    expect(stream.update(DEEP)).toEqual([{ raw: DEEP, html: `<pre>${DEEP.replaceAll(">", "&gt;")}</pre>` }]);
    expect(stream.update(`${DEEP}\n<b>more`)[0]?.html).toContain("&lt;b&gt;more");
  });

  it("is shown as it is where one step takes too long, and not read any further", () => {
    let seconds = 0;
    const slow = () => 1_000 * seconds++;
    const text = "*a*\n\n".repeat(10_000);
    expect(new MarkdownStream(slow).update(text)[0]?.html).toMatch(/^<pre>\*a\*/);
    expect(seconds).toBe(2);
  });

  it("does no harm to the next one", () => {
    const stream = new MarkdownStream(still);
    stream.update(DEEP);
    expect(stream.update("*fine*")).toEqual(markdownBlocks("*fine*"));
  });

  it("is not one that is only long", () => {
    const long = SAMPLE.repeat(100);
    expect(new MarkdownStream(still).update(long)).toEqual(markdownBlocks(long));
  });
});
