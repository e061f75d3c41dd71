import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";

/**
 * The beginning of an answer is held back so long: what fails until then is asked of another deployment, or tells its
 * own status.
 */
const HOLD_MS = 1000;

/** The events of an answer before its first content, of which the caller has not seen any. */
export class HeldBeginning {
  #events: GenerateEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The handing on of what was held too long, until it is done. */
  #late: Promise<void> | undefined;

  /** Keeps events back. `handOn` gets all that are kept if nothing takes them in time; absent: there is no hurry. */
  add(events: readonly GenerateEvent[], handOn?: (held: GenerateEvent[]) => void | Promise<void>): void {
    this.#events.push(...events);
    if (handOn === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#late = (async () => handOn(this.take()))();
      // Whoever waits for it next gets the error.
      this.#late.catch(() => {});
    }, HOLD_MS);
  }

  /** Returns what was kept back, which is kept no longer. */
  take(): GenerateEvent[] {
    this.end();
    const held = this.#events;
    this.#events = [];
    return held;
  }

  /** Returns the handing on of what was held too long, once; undefined if there was none, or it has been waited for. */
  takeLate(): Promise<void> | undefined {
    const late = this.#late;
    this.#late = undefined;
    return late;
  }

  /** Hands nothing on any more by itself. */
  end(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Tells whether events have something of an answer, and not its beginning alone. */
export function haveContent(events: readonly GenerateEvent[]): boolean {
  return events.some(({ event }) => {
    if (event.case === "started" || event.case === "raw") return false;
    if (event.case !== "blockStart") return true;
    const kind = event.value.block?.kind;
    return !(kind?.case === "text" || kind?.case === "thinking") || kind.value.text !== "";
  });
}
