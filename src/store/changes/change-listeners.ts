import type { ChangeListener, Channel } from "./change-feed.ts";

/** The log lines for notifications that cannot be sent, once for each outage, and for those that can be sent again. */
export const NOT_TOLD =
  "notifications of changes by other processes don't arrive at the moment: polling the database instead";
export const TOLD_AGAIN = "notifications of changes arrive again";

/** The listeners of changes, by channel. */
export class ChangeListeners {
  readonly #listeners = new Map<string, Set<ChangeListener>>();

  /** Returns a function that takes the listener out again. */
  add(channel: Channel, listener: ChangeListener): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return () => {
      listeners.delete(listener);
    };
  }

  tell(channel: string, payload: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
  }
}
