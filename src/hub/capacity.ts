import { ErrorReason, InferenceError } from "./error.ts";
import type { Principal } from "./principal.ts";

/** A caller, as far as capacity is counted for it. */
export type CapacityUser = Pick<Principal, "keyId" | "projectId">;

/** Most of something that may be in flight at once. */
interface CapacityOptions {
  /** The name of what is counted, in errors: `responses in the background`. */
  readonly name: string;
  /** The remedy for a caller who has too many, in errors. */
  readonly remedy: string;
  readonly retryAfterMs: number;
  /** Of all callers together. */
  readonly most: number;
  /** Part of it that the keys of one project may use together, from 0 to 1. */
  readonly projectShare: number;
  /** Most of one key; half of all if absent. */
  readonly ofKey?: number;
}

/**
 * Bounds what is in flight, for a key, for all keys of a project, and in all: who makes many keys has no more of it
 * than one project may have. Each process counts for itself.
 */
export class Capacity {
  readonly #options: CapacityOptions;
  readonly #key: Usage;
  readonly #project: Usage;
  readonly #all: Usage;

  constructor(options: CapacityOptions) {
    const { most, projectShare, ofKey = Math.ceil(most / 2) } = options;
    this.#options = options;
    this.#key = new Usage(ofKey);
    this.#project = new Usage(Math.ceil(most * projectShare));
    this.#all = new Usage(most);
  }

  /**
   * Returns why a caller may not use more: RATE_LIMITED where its key or its project has too much, UNAVAILABLE where
   * all have. Whoever uses none may use any amount, since what is larger than a bound would be refused for ever.
   */
  check({ keyId, projectId }: CapacityUser, amount = 1): InferenceError | undefined {
    const { name, remedy, retryAfterMs } = this.#options;
    if (!this.#key.hasRoom(keyId, amount)) {
      const message = `this key has too many ${name}: ${remedy}`;
      return new InferenceError(ErrorReason.RATE_LIMITED, message, { retryAfterMs });
    }
    if (!this.#project.hasRoom(projectId, amount)) {
      const message = `the keys of this project together have too many ${name}: ${remedy}`;
      return new InferenceError(ErrorReason.RATE_LIMITED, message, { retryAfterMs });
    }
    if (this.#all.hasRoom("", amount)) return undefined;
    const message = `there are too many ${name} at the moment: try again shortly`;
    return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs });
  }

  /** Counts what a caller uses from now on. */
  add({ keyId, projectId }: CapacityUser, amount = 1): void {
    this.#key.add(keyId, amount);
    this.#project.add(projectId, amount);
    this.#all.add("", amount);
  }

  /** Ends what add() has counted. */
  remove(user: CapacityUser, amount = 1): void {
    this.add(user, -amount);
  }
}

/**
 * Users who stay in the map with nothing in flight. A map that entries come to and go from is copied again and again,
 * among the old objects.
 */
const IDLE_USERS = 1000;

/** The amounts in flight, by user. */
class Usage {
  readonly #most: number;
  readonly #amounts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  hasRoom(user: string, amount: number): boolean {
    const used = this.#amounts.get(user) ?? 0;
    return used === 0 || used + amount <= this.#most;
  }

  add(user: string, amount: number): void {
    const used = (this.#amounts.get(user) ?? 0) + amount;
    if (used > 0 || this.#amounts.size <= IDLE_USERS) this.#amounts.set(user, used);
    else this.#amounts.delete(user);
  }
}
