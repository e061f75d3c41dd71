/** Ids that a project may have asked for at once, and those that it may have asked for each second in the long run. */
const AT_ONCE = 2000;
const PER_SECOND = 1000;
/** Projects that are remembered; one that was forgotten has its whole budget again. */
const MOST_PROJECTS = 1000;

interface Account {
  readonly left: number;
  readonly atMs: number;
}

/**
 * Bounds what the other processes are asked for each project: every id that nobody knows costs all of them a little. A
 * project that goes beyond takes nothing from the others.
 */
export class AskBudget {
  readonly #accounts = new Map<string, Account>();
  readonly #now: () => number;

  /** `now` is a monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes as many as there are left, up to `count`; returns how many that are. */
  take(projectId: string, count: number): number {
    const atMs = this.#now();
    const account = this.#accounts.get(projectId) ?? { left: AT_ONCE, atMs };
    const left = Math.min(AT_ONCE, account.left + ((atMs - account.atMs) / 1000) * PER_SECOND);
    const taken = Math.min(count, Math.floor(left));
    this.#accounts.delete(projectId);
    this.#accounts.set(projectId, { left: left - taken, atMs });
    // The one that asked longest ago goes.
    const [oldest] = this.#accounts.size > MOST_PROJECTS ? this.#accounts.keys() : [];
    if (oldest !== undefined) this.#accounts.delete(oldest);
    return taken;
  }
}
