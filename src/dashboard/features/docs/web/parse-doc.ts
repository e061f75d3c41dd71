/** A page of the documentation. */
export interface Doc {
  readonly title: string;
  readonly sections: readonly Section[];
}

/** A heading with the Markdown below it; the first section of a page has none. */
interface Section {
  /** The part of addresses behind `#`, as GitHub makes it. */
  readonly id: string;
  readonly heading: string;
  readonly level: number;
  readonly text: string;
}

/** A page that another one leads to. */
export interface DocLink {
  readonly label: string;
  /** Its name with the part behind `#`: `providers#azure-openai`. */
  readonly target: string;
}

/** Finds the address of a link's target; undefined for a file that is not shown. */
type Locate = (target: string) => string | undefined;

const LINK = /\[([^[\]\n]*)\]\((?!https?:|mailto:)([^()\s]+)\)/g;

/** Takes a page apart at its headings. Pictures and comments are left out, and links lead to where `locate` says. */
export function parseDoc(markdown: string, name: string, locate: Locate): Doc {
  const shown = markdown.replaceAll(/^<!--.*-->$\n?/gm, "").replaceAll(/^<p>.*<\/p>$\n?/gm, "");
  const linked = shown.replaceAll(LINK, (_, label: string, target: string) => {
    const to = locate(resolve(target, name));
    return to === undefined ? label : `[${label.replaceAll("`", "")}](${to})`;
  });
  const sections: { heading: string; level: number; lines: string[] }[] = [{ heading: "", level: 1, lines: [] }];
  let isCode = false;
  for (const line of linked.split("\n")) {
    if (/^(```|~~~)/.test(line)) isCode = !isCode;
    const [, marks, heading = ""] = (!isCode && /^(#{1,6}) (.*)$/.exec(line)) || [];
    if (marks === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ heading: heading.replaceAll("`", ""), level: marks.length, lines: [] });
  }
  const title = sections.find(({ heading }) => heading !== "")?.heading ?? name;
  return {
    title,
    sections: sections
      .map(({ heading, level, lines }) => ({ heading, level, id: toId(heading), text: lines.join("\n").trim() }))
      .filter(({ heading, text }) => heading !== "" || text !== ""),
  };
}

/** Lists the pages that the table of contents leads to, each with what it is for. */
export function listDocLinks(contents: string): readonly DocLink[] {
  const links = contents.split("\n").flatMap((line) => {
    const purpose = /^\| ([^|[]+) \|/.exec(line)?.[1];
    return [...line.matchAll(LINK)].flatMap(([, label = "", target = ""]): DocLink[] => {
      if (!/\.md(#|$)/.test(target)) return [];
      const text = purpose === undefined ? label : `${purpose}: ${label}`;
      return [{ label: text.replace(/^./, (letter) => letter.toUpperCase()), target: resolve(target, "README") }];
    });
  });
  return links.filter(({ target }, at) => links.findIndex((link) => link.target === target) === at);
}

/** Resolves the target of a link on a page: `../rpc.md#x` on `reference/http` is `rpc#x`. */
function resolve(target: string, name: string): string {
  const { pathname, hash } = new URL(target, `http://docs/${name}.md`);
  return `${pathname.slice(1).replace(/\.md$/, "")}${hash}`;
}

function toId(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
