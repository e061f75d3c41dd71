const OPENING = new Set(["{", "["]);
const CLOSING = new Set(["}", "]"]);

/**
 * Writes JSON with line breaks, and leaves every number and every text as it was written: to parse it and write it
 * again would round numbers. Returns undefined for what is no JSON object or list.
 */
export function indentJson(text: string): string | undefined {
  if (!isStructure(text)) return undefined;
  const out: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const isEmpty = CLOSING.has(token) && OPENING.has(out.at(-1) ?? "");
    if (CLOSING.has(token)) {
      depth -= 1;
      if (isEmpty) out[out.length - 1] = `${out.at(-1)}${token}`;
      else out.push(`${lineBreak(depth)}${token}`);
      continue;
    }
    if (OPENING.has(out.at(-1) ?? "")) out.push(lineBreak(depth));
    if (token === ",") out.push(`,${lineBreak(depth)}`);
    else out.push(token === ":" ? ": " : token);
    if (OPENING.has(token)) depth += 1;
  }
  return out.join("");
}

function lineBreak(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}

function isStructure(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
