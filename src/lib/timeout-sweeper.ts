import { DenseList, type Indexed } from "./dense-list.ts";

/**
 * Looks now and then at each of those that are under way, as long as there are any. One timer serves all of them: one
 * for each would cost each of them, and most end long before theirs would ring.
 */
export class TimeoutSweeper<T extends Indexed> {
  readonly #items = new DenseList<T>();
  readonly #everyMs: number;
  readonly #look: (item: T) => void;
  readonly #begin: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `begin` is called before each round of looks. */
  constructor(everyMs: number, look: (item: T) => void, begin = (): void => {}) {
    this.#everyMs = everyMs;
    this.#look = look;
    this.#begin = begin;
  }

  /** Adds an item to watch. The timer does not keep the process alive; the item's socket does. */
  add(item: T): void {
    this.#items.add(item);
    this.#timer ??= setInterval(() => this.#lookAtAll(), this.#everyMs).unref();
  }

  /** Does nothing for what is not held. */
  remove(item: T): void {
    this.#items.remove(item);
  }

  #lookAtAll(): void {
    this.#begin();
    for (const item of this.#items.all()) this.#look(item);
    if (this.#items.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
