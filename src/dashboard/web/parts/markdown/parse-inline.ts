/** A part of a line of Markdown. */
export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "strong" | "emphasis" | "deleted"; readonly children: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly children: readonly Inline[] };

const MARKS = { "**": "strong", __: "strong", "*": "emphasis", _: "emphasis", "~~": "deleted" } as const;

/** The signs that mean something. A link has bounds, so that a text of brackets takes no longer than another. */
const TOKEN =
  /\\[!-/:-@[-`{-~]|`{1,8}|\*\*|__|~~|[*_]|!?\[[^[\]\n]{0,300}\]\([^()\s]{1,1000}\)|https?:\/\/[^\s<>()"'`]{1,1000}|\n/g;
const LINK = /^!?\[([^[\]]*)\]\((.*)\)$/;
/** Addresses that a text from a stranger may lead to. */
const SAFE = /^(?:https?:\/\/|mailto:)/i;
const TRAILING = /[.,;:!?]$/;

interface Open {
  readonly mark: string;
  readonly children: Inline[];
}

/** Takes a text apart by the marks of Markdown, in one pass. HTML in it stays text, and so does what is not closed. */
export function parseInline(text: string): Inline[] {
  const root: Open = { mark: "", children: [] };
  const open: Open[] = [root];
  const add = (part: Inline) => open.at(-1)?.children.push(part);
  const unclosedRuns = new Set<string>();
  let at = 0;
  for (let match = nextToken(text, at); match !== null; match = nextToken(text, at)) {
    const [token] = match;
    if (match.index > at) add({ kind: "text", text: text.slice(at, match.index) });
    at = match.index + token.length;
    if (token.startsWith("`")) {
      const end = unclosedRuns.has(token) ? -1 : text.indexOf(token, at);
      if (end === -1) unclosedRuns.add(token);
      add(end === -1 ? { kind: "text", text: token } : { kind: "code", text: text.slice(at, end).trim() });
      if (end !== -1) at = end + token.length;
    } else if (token in MARKS) {
      toggle(open, token as keyof typeof MARKS, { before: text[match.index - 1] ?? " ", after: text[at] ?? " " });
    } else {
      const { part, length } = plainToken(token);
      add(part);
      at = match.index + length;
    }
  }
  if (at < text.length) add({ kind: "text", text: text.slice(at) });
  while (open.length > 1) giveUp(open);
  return root.children;
}

function nextToken(text: string, from: number): RegExpExecArray | null {
  TOKEN.lastIndex = from;
  return TOKEN.exec(text);
}

/** Returns the part that a token is by itself, and how much of the text it takes. */
function plainToken(token: string): { readonly part: Inline; readonly length: number } {
  const whole = (part: Inline) => ({ part, length: token.length });
  if (token === "\n") return whole({ kind: "break" });
  if (token.startsWith("\\")) return whole({ kind: "text", text: token.slice(1) });
  const [, label, href] = LINK.exec(token) ?? [];
  if (label !== undefined && href !== undefined) {
    if (!SAFE.test(href)) return whole({ kind: "text", text: token });
    return whole({ kind: "link", href, children: [{ kind: "text", text: label || href }] });
  }
  const href_ = TRAILING.test(token) ? token.slice(0, -1) : token;
  return { part: { kind: "link", href: href_, children: [{ kind: "text", text: href_ }] }, length: href_.length };
}

interface Around {
  readonly before: string;
  readonly after: string;
}

/** Closes what a mark has opened, or opens it. Between letters, and between spaces, a sign is only a sign. */
function toggle(open: Open[], mark: keyof typeof MARKS, { before, after }: Around): void {
  const at = open.findLastIndex((one) => one.mark === mark);
  if (at > 0 && !/\s/.test(before)) {
    while (open.length - 1 > at) giveUp(open);
    const closed = open.pop();
    open.at(-1)?.children.push({ kind: MARKS[mark], children: closed?.children ?? [] });
    return;
  }
  const isWithinWord = mark.startsWith("_") && /\w/.test(before);
  if (isWithinWord || /\s/.test(after) || open.length > 8) open.at(-1)?.children.push({ kind: "text", text: mark });
  else open.push({ mark, children: [] });
}

/** Takes the latest opening mark as text. */
function giveUp(open: Open[]): void {
  const last = open.pop();
  if (last !== undefined) open.at(-1)?.children.push({ kind: "text", text: last.mark }, ...last.children);
}
