import { Semaphore } from "../lib/semaphore.ts";

/** Most calls that wait, in all and of one project. */
const MOST_WAITING = 4096;
const MOST_OF_PROJECT = 1024;

/**
 * The calls at once of upstreams, by name. It outlives reloads: calls that began before one count still, so that the
 * upstream never has more than its limit.
 */
export class UpstreamQueues {
  readonly #queues = new Map<string, Semaphore>();

  /** Forgets upstreams that are not configured any more. */
  keepOnly(names: readonly string[]): void {
    for (const name of this.#queues.keys()) if (!names.includes(name)) this.#queues.delete(name);
  }

  /** Returns the permits of an upstream, which are `concurrentCalls` from now on. */
  permitsOf(name: string, concurrentCalls: number): Semaphore {
    let permits = this.#queues.get(name);
    if (permits === undefined) {
      permits = new Semaphore(concurrentCalls, { max: MOST_WAITING, maxOfOwner: MOST_OF_PROJECT });
      this.#queues.set(name, permits);
    }
    permits.resize(concurrentCalls);
    return permits;
  }
}
