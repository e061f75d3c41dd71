/** Variables for secrets that stand in an imported file: no two secrets get the same one. */
export class Secrets {
  readonly #values = new Map<string, string | undefined>();

  /** Creates the variables; those that the file names already are taken. */
  constructor(taken: Iterable<string>) {
    for (const name of taken) this.#values.set(name, undefined);
  }

  /** Returns the variable for a secret: the one that is wished, or that with a number behind it. */
  variableOf(wish: string, secret: string): string {
    let name = wish;
    for (let number = 2; this.#values.has(name) && this.#values.get(name) !== secret; number++) {
      name = `${wish}_${number}`;
    }
    this.#values.set(name, secret);
    return name;
  }
}
