import type { HubInput } from "../../hub/input.ts";
import type { RequestSummary } from "../../hub/request-summary.ts";
import type { Indexed } from "../../lib/dense-list.ts";
import { TimeoutSweeper } from "../../lib/timeout-sweeper.ts";

/** An inference whose answer is waited for. */
export interface Waiting extends Indexed {
  /** As performance.now() has it. */
  readonly startMs: number;
  readonly input: HubInput;
  /** The same with the conversation that it continues. */
  readonly prompt: { readonly input: HubInput };
  /** Counts the bytes of its request for its caller; undefined where nobody does. */
  readonly summary?: Pick<RequestSummary, "held"> | undefined;
}

/** Keeps a request as bytes, unless it is kept so; `onBytes` hears how many. Throws where that cannot be. */
type Pack = (input: HubInput, onBytes?: (bytes: number) => void) => void;

/** From so many messages and tools on, a request has thousands of objects. */
const MANY = 16;
/**
 * Objects that live through two collections are among the old ones from then on, where all of them are marked time and
 * again.
 */
const SOON_MS = 50;
/** For a few objects it is of use only where they would be kept for long. */
const LATER_MS = 500;
/** For so long the requests of all others wait at a time. */
const AT_ONCE_MS = 4;

/**
 * Has the requests be kept as bytes whose answers take their time. An answer may take a minute, and an agent's request
 * has hundreds of messages: their objects take as much memory as their texts, and the garbage collector goes through
 * them again and again.
 */
export class WaitingRequests {
  readonly #many: TimeoutSweeper<Waiting>;
  readonly #few: TimeoutSweeper<Waiting>;

  constructor(pack: Pack) {
    this.#few = createPackingSweep(LATER_MS, pack);
    this.#many = createPackingSweep(SOON_MS, pack, (waiting) => {
      // Another attempt may have it read again; to look for that is not worth twenty looks a second at each.
      this.#many.remove(waiting);
      this.#few.add(waiting);
    });
  }

  add(waiting: Waiting): void {
    const { messages, tools } = waiting.prompt.input;
    const sweep = messages.length + tools.length < MANY ? this.#few : this.#many;
    sweep.add(waiting);
  }

  /** Its answer is there, or nobody waits for it any more. */
  remove(waiting: Waiting): void {
    this.#few.remove(waiting);
    this.#many.remove(waiting);
  }
}

/** Creates what packs requests that have waited for some time; `onPacked` is told of each, each time. */
function createPackingSweep(afterMs: number, pack: Pack, onPacked: (waiting: Waiting) => void = () => {}) {
  let begunMs = Number.NEGATIVE_INFINITY;
  const sweep = new TimeoutSweeper<Waiting>(afterMs, (waiting) => {
    const now = performance.now();
    if (now - waiting.startMs < afterMs) return;
    // All are looked at in one turn; those that are left over have theirs in the next one.
    if (now - begunMs > afterMs / 2) begunMs = now;
    if (now - begunMs > AT_ONCE_MS) return;
    try {
      pack(waiting.input, (bytes) => waiting.summary?.held?.resize(bytes));
      pack(waiting.prompt.input);
      onPacked(waiting);
    } catch {
      // What cannot be encoded stays as it is; who records it tells of that.
      sweep.remove(waiting);
    }
  });
  return sweep;
}
