/** A block of Markdown; texts are those of its lines. */
export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "list"; readonly start: number | undefined; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

const FENCE = /^ {0,3}(`{3,8}|~{3,8})/;
const HEADING = /^ {0,3}(#{1,6}) (.*)$/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})(?:[-*+]|(\d{1,9})[.)]) +(?=\S)/;
const TABLE_LINE = /^[\s|:-]*$/;
/** Lists and quotes within each other; deeper ones stay text. */
const MOST_DEPTH = 8;

interface Found {
  readonly block: Block;
  /** The line behind it. */
  readonly end: number;
}

/** Takes a text apart into blocks of Markdown. What it does not know is a paragraph. */
export function parseBlocks(text: string): Block[] {
  return readBlocks(text.replaceAll("\r\n", "\n").split("\n"), 0);
}

function readBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    if (lines[at]?.trim() === "") {
      at += 1;
      continue;
    }
    const { block, end } = special(lines, at, depth) ?? paragraph(lines, at, depth);
    blocks.push(block);
    at = end;
  }
  return blocks;
}

function special(lines: readonly string[], at: number, depth: number): Found | undefined {
  const line = lines[at] ?? "";
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return code(lines, at, fence);
  const [, marks, heading] = HEADING.exec(line) ?? [];
  if (marks !== undefined) {
    return { block: { kind: "heading", level: marks.length, text: heading ?? "" }, end: at + 1 };
  }
  if (RULE.test(line.trimEnd())) return { block: { kind: "rule" }, end: at + 1 };
  if (isTable(lines, at)) return table(lines, at);
  if (depth >= MOST_DEPTH) return undefined;
  if (QUOTE.test(line)) return quote(lines, at, depth);
  return ITEM.test(line) ? list(lines, at, depth) : undefined;
}

function paragraph(lines: readonly string[], at: number, depth: number): Found {
  let end = at + 1;
  while (
    end < lines.length &&
    lines[end]?.trim() !== "" &&
    special(lines.slice(end, end + 2), 0, depth) === undefined
  ) {
    end += 1;
  }
  return { block: { kind: "paragraph", text: lines.slice(at, end).join("\n") }, end };
}

function code(lines: readonly string[], at: number, fence: string): Found {
  const close = lines.findIndex((line, index) => index > at && line.trim().startsWith(fence));
  const end = close === -1 ? lines.length : close;
  return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, end: end + 1 };
}

function quote(lines: readonly string[], at: number, depth: number): Found {
  const end = findEnd(lines, at, (line) => QUOTE.test(line));
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  return { block: { kind: "quote", blocks: readBlocks(inner, depth + 1) }, end };
}

/** The items of a list, each with the lines that are indented below it. */
function list(lines: readonly string[], at: number, depth: number): Found {
  const number = ITEM.exec(lines[at] ?? "")?.[2];
  const isOrdered = number !== undefined;
  const items: string[][] = [];
  let end = at;
  for (let indent = 0; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const item = ITEM.exec(line);
    const isNext = item !== null && (indent === 0 || (item[1] ?? "").length < indent);
    if (isNext && (item[2] !== undefined) === isOrdered) {
      indent = item[0].length;
      items.push([line.slice(indent)]);
    } else if (!isNext && isWithin(line, lines[end + 1])) {
      items.at(-1)?.push(line.slice(Math.min(indent, line.length - line.trimStart().length)));
    } else break;
  }
  const blocks = items.map((item) => readBlocks(item, depth + 1));
  return { block: { kind: "list", start: isOrdered ? Number(number) : undefined, items: blocks }, end };
}

/** Returns whether a line belongs to the item above it; an empty one does where the list goes on behind it. */
function isWithin(line: string, next = ""): boolean {
  return line.trim() === "" ? next.startsWith("  ") || ITEM.test(next) : line.startsWith("  ");
}

function isTable(lines: readonly string[], at: number): boolean {
  const [head = "", line = ""] = [lines[at], lines[at + 1]];
  return head.includes("|") && line.includes("-") && line.includes("|") && TABLE_LINE.test(line);
}

function table(lines: readonly string[], at: number): Found {
  const end = findEnd(lines, at, (line) => line.includes("|"));
  const rows = lines.slice(at + 2, end).map(splitCells);
  return { block: { kind: "table", head: splitCells(lines[at] ?? ""), rows }, end };
}

function splitCells(line: string): string[] {
  const text = line.trim();
  const inner = text.slice(text.startsWith("|") ? 1 : 0, text.endsWith("|") ? -1 : undefined);
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function findEnd(lines: readonly string[], at: number, isPart: (line: string) => boolean): number {
  const end = lines.findIndex((line, index) => index > at && !isPart(line));
  return end === -1 ? lines.length : end;
}
