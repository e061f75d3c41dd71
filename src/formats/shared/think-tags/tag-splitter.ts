/** A part of a text. */
export interface TextPart {
  readonly kind: "thinking" | "text";
  readonly text: string;
}

/** The tags that templates and servers have for thinking, each with the one that ends it. */
const TAGS: readonly (readonly [string, string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  // Gemini, and Gemma's templates.
  ["<thought>", "</thought>"],
  ["<|channel>thought\n", "<channel|>"],
  // Reka, Seed-OSS, Magistral.
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
];

const CLOSING: readonly string[] = TAGS.map(([, close]) => close);

/** Most blank characters before the tag: what is held must have a bound. */
const MOST_BLANK = 1000;

/**
 * Splits a text that may begin with thinking between tags, or inside it, however it is cut. Blank characters around the
 * tags, which templates put there, belong to neither part.
 */
export class TagSplitter {
  #state: "start" | "thinking-start" | "thinking" | "text-start" | "text" = "start";
  #held = "";
  /** The tags that end the thinking. */
  #closing: readonly string[] = [];
  readonly #opens: boolean;

  /** `opens`: a text without a tag at its beginning begins inside thinking. */
  constructor(opens = false) {
    this.#opens = opens;
  }

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
    if (isNear && TAGS.some(([open]) => trimmed.length < open.length && open.startsWith(trimmed))) return false;
    const [open, close] = (isNear && TAGS.find(([tag]) => trimmed.startsWith(tag))) || [];
    const isTagged = open !== undefined && close !== undefined;
    if (isTagged) [this.#held, this.#closing] = [trimmed.slice(open.length), [close]];
    else if (this.#opens) this.#closing = CLOSING;
    this.#state = isTagged || this.#opens ? "thinking-start" : "text";
    return true;
  }

  #skipBlank(next: "thinking" | "text"): boolean {
    this.#held = this.#held.trimStart();
    if (this.#held === "") return false;
    this.#state = next;
    return true;
  }

  #think(parts: TextPart[]): boolean {
    const end = findFirst(this.#held, this.#closing);
    const undecided = Math.max(...this.#closing.map((tag) => beginningAtEnd(this.#held, tag)));
    const until = end?.at ?? this.#held.length - undecided;
    if (until > 0) parts.push({ kind: "thinking", text: this.#held.slice(0, until) });
    this.#held = this.#held.slice(end === undefined ? until : end.at + end.tag.length);
    if (end !== undefined) this.#state = "text-start";
    return end !== undefined;
  }
}

/** Finds the tag that comes first in a text. */
function findFirst(text: string, tags: readonly string[]): { readonly at: number; readonly tag: string } | undefined {
  const found = tags.map((tag) => ({ at: text.indexOf(tag), tag })).filter(({ at }) => at !== -1);
  return found.toSorted((one, other) => one.at - other.at)[0];
}

/** Returns how many characters at a text's end may be the beginning of the closing tag. */
function beginningAtEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
