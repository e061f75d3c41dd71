import { idTimeMs } from "../../../lib/ids.ts";
import type { FailedCall } from "../../../store/dashboard/reads/read-failures.ts";

/** Failed calls of which upstreams said the same. */
interface FailureWords {
  readonly reason: string;
  readonly upstream: string;
  readonly upstreamStatus: number | null;
  readonly upstreamCode: string;
  /** The words of the latest call. */
  readonly message: string;
  readonly calls: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Sessions and end users that they belong to. */
  readonly sessions: number;
  readonly users: number;
  /** The latest of them. */
  readonly latestId: string;
}

/** Numbers and ids, which differ where the words are the same. */
const CHANGING = /\b[0-9a-f]{8,64}\b|\d+/gi;

/** Puts failed calls together of which upstreams said the same but for numbers and ids, the most first. */
export function groupWords(calls: readonly FailedCall[]): FailureWords[] {
  const groups = Map.groupBy(calls, ({ reason, upstream, upstreamStatus, upstreamCode, message }) =>
    JSON.stringify([reason, upstream, upstreamStatus, upstreamCode, message.replace(CHANGING, "#")]),
  );
  const words = [...groups.values()].flatMap((own) => {
    const [latest] = own;
    if (latest === undefined) return [];
    const { reason, upstream, upstreamStatus, upstreamCode, message, id } = latest;
    return [
      {
        reason,
        upstream,
        upstreamStatus,
        upstreamCode,
        message,
        calls: own.length,
        latestId: id,
        firstMs: idTimeMs(own.at(-1)?.id ?? id) ?? 0,
        lastMs: idTimeMs(id) ?? 0,
        sessions: distinct(own.map(({ sessionId }) => sessionId)),
        users: distinct(own.map(({ endUserId }) => endUserId)),
      },
    ];
  });
  return words.sort((a, b) => b.calls - a.calls);
}

function distinct(ids: readonly string[]): number {
  return new Set(ids.filter((id) => id !== "")).size;
}

/** Calls of one session or end user. */
interface AffectedCalls {
  readonly id: string;
  readonly calls: number;
}

/** Counts calls by an id of theirs, the most first; calls without one are left out. */
export function countBy(calls: readonly FailedCall[], getId: (call: FailedCall) => string): AffectedCalls[] {
  const groups = [...Map.groupBy(calls, getId)].map(([id, own]) => ({ id, calls: own.length }));
  return groups.filter(({ id }) => id !== "").sort((a, b) => b.calls - a.calls);
}
