import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { Upstream } from "../hub/upstream.ts";
import type { Semaphore } from "../lib/semaphore.ts";

/** The calls that an upstream takes at once, from one process. */
interface QueueRules {
  readonly concurrentCalls: number;
  /** The time that a call beyond them may wait. */
  readonly waitMs: number;
}

/** Has the calls beyond an upstream's limit wait for one of its `permits`, and lets projects take turns. */
export function withQueue(
  upstream: Upstream,
  { concurrentCalls, waitMs }: QueueRules,
  permits: Pick<Semaphore, "acquire" | "release" | "waiting">,
): Upstream {
  return {
    ...upstream,
    waiting: () => permits.waiting,
    prepare(input, target) {
      const call = upstream.prepare(input, target);
      return {
        ...call,
        async send(sink, signal) {
          const isFree = await permits.acquire({ signal, timeoutMs: waitMs, owner: target.projectId });
          if (!isFree) throw signal.aborted ? InferenceError.fromAbort(signal) : full(upstream.name, concurrentCalls);
          try {
            await call.send(sink, signal);
          } finally {
            permits.release();
          }
        },
      };
    },
  };
}

function full(name: string, concurrentCalls: number): InferenceError {
  const message =
    `the upstream '${name}' answers ${concurrentCalls} calls at once, ` +
    "the most that its queue.concurrentCalls allows, " +
    "and others wait before this one";
  return new InferenceError(ErrorReason.RATE_LIMITED, message, { upstream: name, isQueueFull: true });
}
