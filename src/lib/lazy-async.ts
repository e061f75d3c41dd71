/** A value that is made once. */
interface Lazy<T> {
  /**
   * Makes it, or resolves to what was made; those who ask while it is made share that. A failure is told to them, and
   * not kept.
   */
  get(): Promise<T>;
  /** Resolves to what was made, or is being made; undefined where nothing is. */
  made(): Promise<T | undefined>;
}

/** Keeps what is made when it is first asked for, by however many at once. */
export function lazyAsync<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined;
  return {
    get() {
      made ??= make().catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      return made;
    },
    made: async () => await made?.catch(() => undefined),
  };
}
