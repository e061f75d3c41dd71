import { parseJson } from "./json.ts";

/**
 * A value of a body that is at hand as JSON text, and is sent as it is: to parse it and to write it again would give
 * the same.
 */
export class JsonText {
  /** JSON. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For `JSON.stringify`. Throws SyntaxError where the text is not JSON. */
  toJSON(): unknown {
    return parseJson(this.text);
  }
}
