import { ErrorReason, InferenceError } from "../error.ts";

/** Bytes that the requests of all inferences in the background may have together; half of them for one key. */
const MOST_BYTES = 2 ** 28;

/** When a place may be free again. */
const RETRY_AFTER_MS = 5000;

interface Taken {
  count: number;
  bytes: number;
}

/** Bounds how many inferences are made in the background at once, and what their requests take up. */
export class BackgroundRoom {
  readonly #limit: number;
  readonly #all: Taken = { count: 0, bytes: 0 };
  readonly #ofKey = new Map<string, Taken>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a place for a request of so many bytes, and returns what gives it back. Throws RATE_LIMITED or UNAVAILABLE. */
  enter(keyId: string, bytes: number): () => void {
    const own = this.#ofKey.get(keyId) ?? { count: 0, bytes: 0 };
    if (own.count + 1 > Math.ceil(this.#limit / 2) || (own.count > 0 && own.bytes + bytes > MOST_BYTES / 2)) {
      const message = "this key has too many responses in the background: wait until some of them have ended";
      throw new InferenceError(ErrorReason.RATE_LIMITED, message, { retryAfterMs: RETRY_AFTER_MS });
    }
    if (this.#all.count + 1 > this.#limit || (this.#all.count > 0 && this.#all.bytes + bytes > MOST_BYTES)) {
      const message = "too many responses are made in the background at the moment: try again shortly";
      throw new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: RETRY_AFTER_MS });
    }
    this.#ofKey.set(keyId, own);
    for (const taken of [own, this.#all]) {
      taken.count += 1;
      taken.bytes += bytes;
    }
    return () => {
      for (const taken of [own, this.#all]) {
        taken.count -= 1;
        taken.bytes -= bytes;
      }
      if (own.count === 0) this.#ofKey.delete(keyId);
    };
  }
}
