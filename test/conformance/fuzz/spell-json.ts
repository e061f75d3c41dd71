/** Strings and numbers of JSON text, and all else that is no blank, each by itself. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/gs;

const BLANKS = ["", "", " ", "\n", "\t ", "  \r\n"];
const MOST_PLAIN = 0x7e;

/**
 * Writes JSON text as another client would write the same: blanks between what it consists of, and characters of
 * strings as their numbers. Numbers stay as they are written, which tells them apart where a double does not.
 */
export function respell(json: string, random: () => number): string {
  const blank = () => BLANKS[Math.floor(random() * BLANKS.length)] ?? "";
  const tokens = json.match(TOKEN) ?? [];
  return tokens.map((token) => blank() + (token.startsWith('"') ? respellString(token, random) : token)).join("");
}

function respellString(token: string, random: () => number): string {
  const text = JSON.parse(token) as string;
  const share = random() < 0.5 ? 0 : 0.2;
  const written = Array.from({ length: text.length }, (_none, at) => {
    const code = text.charCodeAt(at);
    const isPlain = code >= 0x20 && code <= MOST_PLAIN && code !== 0x22 && code !== 0x5c;
    if (isPlain && random() >= share) return code === 0x2f && random() < share ? "\\/" : text[at];
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
  return `"${written.join("")}"`;
}

/**
 * Writes JSON text in the one way that all ways of writing it have in common: without blanks, strings as
 * JSON.stringify() writes them.
 */
export function canonical(json: string): string {
  const tokens = json.match(TOKEN) ?? [];
  return tokens.map((token) => (token.startsWith('"') ? canonicalString(token) : token)).join("");
}

/**
 * A string that holds JSON, such as the arguments of a call or what a format only hands on, is compared as JSON, too.
 */
function canonicalString(token: string): string {
  const text = JSON.parse(token) as string;
  return JSON.stringify(isJsonObject(text) ? canonical(text) : text);
}

function isJsonObject(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The same of each event of an SSE body; its other lines stay. */
export function canonicalFrames(body: string): string {
  return body.replace(/^data: (\{.*)$/gm, (_all, json: string) => `data: ${canonical(json)}`);
}
