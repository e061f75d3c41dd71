/** Most keys of a cache; values beyond them are made anew for each use. */
const MOST_KEYS = 4000;

/** Keeps what belongs to a key; the key of a value must be all that its making depends on. */
export class SeriesCache<Value> {
  readonly #known = new Map<string, Value>();

  get(key: string, make: () => Value): Value {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#known.size < MOST_KEYS) this.#known.set(key, made);
    return made;
  }
}
