import { openInput } from "../history/open-input.ts";
import type { PlannedAttempt } from "../ports.ts";
import type { InferenceRun } from "../run/inference-run.ts";
import { SharedCall } from "./shared-call.ts";

/** Bytes that events may take while callers may still need them. */
export interface SharedLimits {
  /** Of one call. */
  readonly callBytes: number;
  /** Of all calls. */
  readonly totalBytes: number;
}

const LIMITS: SharedLimits = { callBytes: 2 ** 21, totalBytes: 2 ** 26 };

/** The calls of upstreams that requests may share with those that began them, by what they have in common. */
export class SharedCalls {
  readonly #limits: SharedLimits;
  /** More than one where callers of different formats would not get the same answer. */
  readonly #open = new Map<string, SharedCall[]>();
  #bytes = 0;

  constructor(limits: SharedLimits = LIMITS) {
    this.#limits = limits;
  }

  /** Finds the call that an inference may share. */
  find(key: string, asking: InferenceRun): SharedCall | undefined {
    return this.#open.get(key)?.find((call) => sendAlike(call.leader, asking));
  }

  /** Begins a call that others may share until it ends, or its events take too much room. */
  begin(key: string, leader: InferenceRun): SharedCall {
    const call = new SharedCall(leader, {
      callBytes: this.#limits.callBytes,
      hold: (bytes) => {
        this.#bytes += bytes;
      },
      isFull: () => this.#bytes > this.#limits.totalBytes,
      close: () => this.#close(key, call),
    });
    const calls = this.#open.get(key);
    if (calls === undefined) this.#open.set(key, [call]);
    else calls.push(call);
    return call;
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the number of calls that may be shared. */
  get size(): number {
    return this.#open.size;
  }

  #close(key: string, call: SharedCall): void {
    const left = this.#open.get(key)?.filter((other) => other !== call) ?? [];
    if (left.length === 0) this.#open.delete(key);
    else this.#open.set(key, left);
  }
}

/**
 * Tells whether one call serves two inferences that ask the same but for their callers' formats: each place that may be
 * asked would be sent the same bytes for both, and its answer be read in the same way.
 */
function sendAlike(leader: InferenceRun, other: InferenceRun): boolean {
  const [first, second] = [leader.plan.strategy.attempts[0], other.plan.strategy.attempts[0]];
  if (first?.model !== second?.model) return false;
  if (leader.input.dialect === other.input.dialect) return true;
  return leader.plan.strategy.attempts.every((planned) => {
    const [one, two] = [getFingerprint(leader, planned), getFingerprint(other, planned)];
    return one !== undefined && one === two;
  });
}

/** Undefined where it cannot be told, also because the place would refuse the request. */
function getFingerprint(run: InferenceRun, { model, upstream, deployment }: PlannedAttempt): string | undefined {
  try {
    const { input, own } = openInput(run.prompt, { upstream, deployment });
    return upstream.fingerprint?.(input, {
      model,
      deployment,
      streamed: run.streamed,
      inferenceId: run.id,
      projectId: run.principal.projectId,
      ownReasoning: own,
    });
  } catch {
    return undefined;
  }
}
