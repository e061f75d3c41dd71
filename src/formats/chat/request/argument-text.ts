import { StringBuilder } from "../../../lib/string-builder.ts";
import { parseJsonObject } from "../../shared/json.ts";
import { RestOfArguments } from "../../shared/rest-of-arguments.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The arguments of a call as they come. It tells when they are complete JSON and looks at each character once, however
 * small the pieces are.
 */
export class ArgumentText {
  readonly #text = new StringBuilder();
  #depth = 0;
  #place: "before" | "inside" | "string" | "escape" | "behind" | "never" = "before";
  #isObject: boolean | undefined;
  readonly #rest = new RestOfArguments();

  add(piece: string): void {
    if (this.#place === "never") return;
    this.#text.add(piece);
    for (let at = 0; at < piece.length; at++) this.#step(piece.charCodeAt(at));
  }

  /** Returns whether this is a JSON object from its first to its last brace. */
  get isComplete(): boolean {
    if (this.#place !== "behind") return false;
    this.#isObject ??= parseJsonObject(this.#text.toString()) !== undefined;
    return this.#isObject;
  }

  /** Returns what a piece adds, which may repeat all that came before it. */
  rest(piece: string): string {
    return this.isObject ? this.#rest.read(piece, this.#text) : piece;
  }

  /** Returns whether it begins as an object does. */
  get isObject(): boolean {
    return this.#place !== "before" && this.#place !== "never";
  }

  /** Returns whether nothing but white space has come. */
  get isBlank(): boolean {
    return this.#place === "before";
  }

  #step(code: number): void {
    switch (this.#place) {
      case "inside":
        this.#bracket(code);
        return;
      case "string":
        if (code === QUOTE) this.#place = "inside";
        else if (code === BACKSLASH) this.#place = "escape";
        return;
      case "escape":
        this.#place = "string";
        return;
      case "before":
      case "behind":
        if (isSpace(code)) return;
        this.#place = this.#place === "before" && code === 0x7b ? "inside" : "never";
        this.#depth = 1;
        return;
      case "never":
        return;
      default:
        this.#place satisfies never;
    }
  }

  #bracket(code: number): void {
    if (code === QUOTE) this.#place = "string";
    else if (code === 0x7b || code === 0x5b) this.#depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      this.#depth -= 1;
      if (this.#depth === 0) this.#place = "behind";
    }
  }
}

/** White space of JSON. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
