/** A part of a text. */
interface Part {
  readonly at: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** Characters before the first match that are shown. */
const BEFORE = 30;

/** Returns a text from shortly before its first match on. */
export function startAtMatch(text: string, query: string): string {
  const at = find(text, query, 0);
  return at <= 2 * BEFORE ? text : `…${text.slice(at - BEFORE)}`;
}

/** Returns a text in parts: those that match, in any case, and those between them. */
export function splitMatches(text: string, query: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (let at = find(text, query, 0); at !== -1; at = find(text, query, end)) {
    if (at > end) parts.push({ at: end, text: text.slice(end, at), isMatch: false });
    end = at + query.length;
    parts.push({ at, text: text.slice(at, end), isMatch: true });
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end), isMatch: false });
  return parts;
}

/** Some letters are longer in small letters: then places in one text are none in the other, and nothing is marked. */
function find(text: string, query: string, from: number): number {
  const [all, wanted] = [text.toLowerCase(), query.toLowerCase()];
  if (wanted === "" || all.length !== text.length || wanted.length !== query.length) return -1;
  return all.indexOf(wanted, from);
}
