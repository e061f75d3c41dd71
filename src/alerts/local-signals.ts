import type { Signal } from "./ports.ts";

/** Most signals of a process: of those beyond them none is reported. */
const MOST = 5000;
/** Signals are written again while they hold, well before they expire. */
const RENEW_MS = 60_000;

/** The conditions that this process knows of, and what of them is still to be written. */
export class LocalSignals {
  readonly #current = new Map<string, { readonly signal: Signal; readonly writtenMs: number }>();
  readonly #changed = new Map<string, Signal | undefined>();

  /** Reports a condition, or its change. */
  set(signal: Signal, nowMs: number): void {
    const name = nameOf(signal);
    const known = this.#current.get(name);
    if (known === undefined && this.#current.size >= MOST) return;
    const isSame = known?.signal.value === signal.value && nowMs - known.writtenMs < RENEW_MS;
    if (isSame) return;
    this.#current.set(name, { signal, writtenMs: nowMs });
    this.#changed.set(name, signal);
  }

  /** Takes a condition back. */
  clear(signal: Pick<Signal, "kind" | "projectId" | "subject">): void {
    const name = nameOf(signal);
    if (this.#current.delete(name)) this.#changed.set(name, undefined);
  }

  /** Takes what has to be written. */
  take(nowMs: number): ReadonlyMap<string, Signal | undefined> {
    for (const [name, { signal }] of this.#current) if (signal.expiresAtMs < nowMs) this.#current.delete(name);
    const changed = new Map(this.#changed);
    this.#changed.clear();
    return changed;
  }

  /** Gives back what could not be written. */
  restore(changed: ReadonlyMap<string, Signal | undefined>): void {
    for (const [name, signal] of changed) if (!this.#changed.has(name)) this.#changed.set(name, signal);
  }
}

function nameOf({ kind, projectId, subject }: Pick<Signal, "kind" | "projectId" | "subject">): string {
  return `${kind} ${projectId} ${subject}`;
}
