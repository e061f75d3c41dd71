/** The beginning of a text, and where the rest is. */
export interface TextView {
  /** Position among all texts and files of the request, by which the whole of it can be read. */
  readonly part: number;
  readonly start: string;
  /** Characters of the whole. */
  readonly length: number;
}

/** A piece of a text. */
export interface TextPiece {
  readonly text: string;
  /** Characters of the whole. */
  readonly length: number;
}

/** Characters that are shown at first. */
const START_LENGTH = 2000;

/** Numbers the texts of a request in the order in which it is walked through. */
export class TextParts {
  readonly #wanted: number | undefined;
  #count = 0;
  /** The text whose number was asked for, once it was passed. */
  found: string | undefined;

  constructor(wanted?: number) {
    this.#wanted = wanted;
  }

  /** Takes the number of a text, and returns its beginning. */
  view(text: string, startLength = START_LENGTH): TextView {
    const part = this.#count++;
    if (part === this.#wanted) this.found = text;
    return { part, start: cut(text, 0, startLength), length: text.length };
  }

  /** Takes the number of a file, of which nothing is shown at first. */
  file(base64: string): Pick<TextView, "part"> & { readonly bytes: number } {
    const { part } = this.view(base64, 0);
    return { part, bytes: Math.floor((base64.replace(/={1,2}$/, "").length * 3) / 4) };
  }
}

/** Cuts a piece out of a text; no character is cut in two. */
export function cut(text: string, from: number, length: number): string {
  const end = Math.min(from + length, text.length);
  const last = text.charCodeAt(end - 1);
  return text.slice(from, end < text.length && last >= 0xd800 && last < 0xdc00 ? end - 1 : end);
}
