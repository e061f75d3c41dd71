/**
 * A function that is made of text, for each kind of object its own: V8 finds the members that it names where it saw them last. A loop over
 * names, one for all kinds, looks up each name of each object. Only names of our own are in the text: those of protos and of columns.
 */
export class FunctionText {
  readonly #parts: unknown[] = [];

  /** Returns the name by which the text calls `part`. */
  bind(part: unknown): string {
    return `part${this.#parts.push(part) - 1}`;
  }

  /** Makes the function of its parameter and its statements. */
  make<Made>(parameter: string, statements: readonly string[]): Made {
    const names = this.#parts.map((_, index) => `part${index}`);
    const text = `"use strict"; return (${parameter}) => {\n${statements.join("\n")}\n};`;
    return new Function(...names, text)(...this.#parts) as Made;
  }
}
