import type { Signal } from "./ports.ts";

/** Most signals of a process: of those beyond them none is reported. */
const MOST = 5000;
/** Signals that are taken at once: one statement writes all of them, or none. */
const MOST_AT_ONCE = 500;
/** Signals are written again while they hold, well before they expire. */
const RENEW_MS = 60_000;

/**
 * The conditions that this process knows of, and what of them is still to be written. However many come and go while
 * nothing can be written, only those are kept that hold, and those that are written and are over.
 */
export class LocalSignals {
  readonly #current = new Map<string, { readonly signal: Signal; readonly writtenMs: number }>();
  /** The one that waits longest is the first. */
  #changed = new Map<string, Signal | undefined>();
  /** Names of those that are written, or are being written. */
  readonly #stored = new Set<string>();
  /** Names of those that the last take() has added to them. */
  #added: readonly string[] = [];

  /** Reports a condition, or its change. */
  set(signal: Signal, nowMs: number): void {
    const name = getName(signal);
    const known = this.#current.get(name);
    if (known === undefined && this.#current.size >= MOST) return;
    const isSame = known?.signal.value === signal.value && nowMs - known.writtenMs < RENEW_MS;
    if (isSame) return;
    this.#current.set(name, { signal, writtenMs: nowMs });
    this.#changed.set(name, signal);
  }

  /** Takes a condition back. */
  clear(signal: Pick<Signal, "kind" | "projectId" | "subject">): void {
    const name = getName(signal);
    if (!this.#current.delete(name)) return;
    if (this.#stored.has(name)) this.#changed.set(name, undefined);
    else this.#changed.delete(name);
  }

  /** Takes part of what has to be written; nothing once that is all. */
  take(nowMs: number): ReadonlyMap<string, Signal | undefined> {
    for (const [name, { signal }] of this.#current) {
      if (signal.expiresAtMs >= nowMs) continue;
      this.#current.delete(name);
      // Nobody reads what has expired.
      this.#changed.delete(name);
      this.#stored.delete(name);
    }
    const changed = new Map(this.#changed.entries().take(MOST_AT_ONCE));
    this.#added = [...changed].flatMap(([name, signal]) => (signal && !this.#stored.has(name) ? [name] : []));
    for (const [name, signal] of changed) {
      this.#changed.delete(name);
      if (signal === undefined) this.#stored.delete(name);
      else this.#stored.add(name);
    }
    return changed;
  }

  /** Gives back what take() gave last and could not be written. */
  restore(changed: ReadonlyMap<string, Signal | undefined>): void {
    const waiting = new Map([...changed, ...this.#changed]);
    for (const [name, signal] of changed) if (signal === undefined) this.#stored.add(name);
    for (const name of this.#added) {
      this.#stored.delete(name);
      if (!this.#current.has(name)) waiting.delete(name);
    }
    this.#changed = waiting;
  }
}

function getName({ kind, projectId, subject }: Pick<Signal, "kind" | "projectId" | "subject">): string {
  return `${kind} ${projectId} ${subject}`;
}
