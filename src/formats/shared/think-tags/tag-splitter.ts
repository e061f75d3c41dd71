/** A part of a text. */
export interface TextPart {
  readonly kind: "thinking" | "text";
  readonly text: string;
}

const OPEN = "<think>";
const CLOSE = "</think>";

/** Most blank characters before the tag: what is held must have a bound. */
const MOST_BLANK = 1000;

/**
 * Splits a text that may begin with thinking between tags, however it is cut. Blank characters around the tags, which
 * templates put there, belong to neither part.
 */
export class TagSplitter {
  #state: "start" | "thinking-start" | "thinking" | "text-start" | "text" = "start";
  #held = "";

  /** Returns the parts that more of the text makes known. */
  feed(text: string): TextPart[] {
    this.#held += text;
    const parts: TextPart[] = [];
    while (this.#step(parts));
    return parts;
  }

  /** Returns what is left at the text's end; thinking that was cut off stays thinking. */
  end(): TextPart[] {
    const text = this.#held;
    this.#held = "";
    if (text === "") return [];
    return [{ kind: this.#state === "thinking" ? "thinking" : "text", text }];
  }

  /** Returns whether there is more to read. */
  #step(parts: TextPart[]): boolean {
    switch (this.#state) {
      case "start":
        return this.#begin();
      case "thinking-start":
        return this.#skipBlank("thinking");
      case "thinking":
        return this.#think(parts);
      case "text-start":
        return this.#skipBlank("text");
      case "text":
        if (this.#held !== "") parts.push({ kind: "text", text: this.#held });
        this.#held = "";
        return false;
    }
  }

  #begin(): boolean {
    const trimmed = this.#held.trimStart();
    const isNear = this.#held.length - trimmed.length <= MOST_BLANK;
    if (isNear && trimmed.length < OPEN.length && OPEN.startsWith(trimmed)) return false;
    const isTagged = isNear && trimmed.startsWith(OPEN);
    if (isTagged) this.#held = trimmed.slice(OPEN.length);
    this.#state = isTagged ? "thinking-start" : "text";
    return true;
  }

  #skipBlank(next: "thinking" | "text"): boolean {
    this.#held = this.#held.trimStart();
    if (this.#held === "") return false;
    this.#state = next;
    return true;
  }

  #think(parts: TextPart[]): boolean {
    const at = this.#held.indexOf(CLOSE);
    const until = at === -1 ? this.#held.length - beginningAtEnd(this.#held) : at;
    if (until > 0) parts.push({ kind: "thinking", text: this.#held.slice(0, until) });
    this.#held = this.#held.slice(at === -1 ? until : at + CLOSE.length);
    if (at !== -1) this.#state = "text-start";
    return at !== -1;
  }
}

/** Returns how many characters at a text's end may be the beginning of the closing tag. */
function beginningAtEnd(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}
