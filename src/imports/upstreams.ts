/** The upstreams of a configuration: equal ones share a name. */
export class Upstreams {
  readonly #names = new Map<string, string>();
  /** The last number behind a name. */
  readonly #numbers = new Map<string, number>();
  readonly #all: Record<string, object> = {};

  get all(): Readonly<Record<string, object>> {
    return this.#all;
  }

  /** Returns the name of an upstream; that of a further one with the same `wish` has a number behind it. */
  nameOf(wish: string, upstream: object): string {
    const content = JSON.stringify(upstream);
    const known = this.#names.get(content);
    if (known !== undefined) return known;
    let name = wish;
    while (Object.hasOwn(this.#all, name)) {
      const number = (this.#numbers.get(wish) ?? 1) + 1;
      this.#numbers.set(wish, number);
      name = `${wish}-${number}`;
    }
    this.#all[name] = upstream;
    this.#names.set(content, name);
    return name;
  }
}
