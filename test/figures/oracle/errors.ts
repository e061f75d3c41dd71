import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import * as naive from "./naive.ts";
import { by, HOUR, MINUTE, sum, within } from "./naive.ts";
import { type Asked, callsIn, inSteps, NO_FIGURE, type Page, steps } from "./page.ts";

/** Returns the refused calls of a time: by the minute where its steps are shorter than an hour. */
export function refusedIn({ history, window: { fromMs, toMs, stepMs } }: Asked) {
  const unit = unitOfRefused(stepMs);
  return history.refused.filter(({ atMs }) => atMs >= naive.floor(fromMs, unit) && naive.floor(atMs, unit) < toMs);
}

const unitOfRefused = (stepMs: number) => (stepMs < HOUR ? MINUTE : HOUR);

/** Returns refused calls by reason in steps. */
export function refusedSeries(asked: Asked) {
  const { stepMs } = asked.window;
  return by(refusedIn(asked), ({ reason }) => reason).map(([reason, own]) => ({
    isRefused: true,
    reason,
    calls: steps(asked.window, stepMs).map(({ startMs }) =>
      sum(
        own.filter(({ atMs }) => naive.floor(atMs, stepMs) === startMs),
        (one) => one.calls,
      ),
    ),
  }));
}

/** Refused calls by reason and key. */
export function refusals(asked: Asked): ReturnType<Page<"refusals.list">> {
  return { input: {}, output: { counts: refusedByKey(refusedIn(asked)), calls: NO_FIGURE } };
}

/** Returns refused calls by reason and key. */
export function refusedByKey(refused: ReturnType<typeof refusedIn>) {
  return by(refused, ({ reason, keyId }) => JSON.stringify([reason, keyId])).map(([, own]) => {
    const { reason = "limit" as const, keyId = "" } = own[0] ?? {};
    return { reason, keyId, calls: sum(own, ({ calls }) => calls) };
  });
}

export function errors(asked: Asked): ReturnType<Page<"errors.summary">> {
  const { stepMs } = asked.window;
  const calls = callsIn(asked);
  const failures = naive.failed(calls);
  const seen = within(failures, { ...asked.window, unit: 1 });
  const affected = (idOf: (call: InferenceRow) => string | null | undefined) =>
    by(
      seen.filter((call) => idOf(call)),
      (call) => idOf(call) ?? "",
    ).map(([id, own]) => ({ id, calls: own.length }));
  const [sessions, users] = [affected(({ sessionId }) => sessionId), affected(({ endUserId }) => endUserId)];
  const refused = refusedIn(asked);
  return {
    input: {},
    output: {
      fromMs: NO_FIGURE,
      toMs: NO_FIGURE,
      stepMs: NO_FIGURE,
      buckets: NO_FIGURE,
      changes: NO_FIGURE,
      calls: calls.length,
      failed: failures.length,
      refused: sum(refused, (one) => one.calls),
      read: seen.length,
      series: [
        ...by(failures, ({ errorReason }) => errorReason ?? "").map(([reason, own]) => ({
          isRefused: false,
          reason,
          calls: inSteps(own, asked, stepMs).map(({ length }) => length),
        })),
        ...refusedSeries(asked),
      ],
      words: by(seen, ({ errorReason, upstream }) => JSON.stringify([errorReason, upstream])).map(([, own]) => {
        const times = own.map(naive.timeOf);
        const [one] = own;
        return {
          reason: one?.errorReason ?? "",
          upstream: one?.upstream ?? "",
          upstreamStatus: null,
          upstreamCode: "",
          message: "",
          calls: own.length,
          firstMs: Math.min(...times),
          lastMs: Math.max(...times),
          sessions: new Set(own.flatMap(({ sessionId }) => sessionId ?? [])).size,
          users: new Set(own.flatMap(({ endUserId }) => endUserId ?? [])).size,
          latestId:
            own
              .map(({ id }) => id)
              .sort()
              .at(-1) ?? "",
        };
      }),
      sessions,
      sessionCount: sessions.length,
      users,
      userCount: users.length,
    },
  };
}

/** The values of a failed call; the model is the one that failed to answer. */
const FAILURES = {
  reason: ({ errorReason }) => errorReason ?? "",
  upstream: ({ upstream }) => upstream,
  model: naive.answeredBy,
  key: ({ keyId }) => keyId,
  user: ({ endUserId }) => endUserId ?? "",
} as const satisfies Record<string, (call: InferenceRow) => string>;
type FailureDimension = keyof typeof FAILURES;

export function failures(asked: Asked): ReturnType<Page<"errors.groups">> {
  const dimensions = asked.pick<FailureDimension[]>([["reason"], ["upstream", "model"], ["key", "reason"], ["user"]]);
  const isByUser = dimensions.includes("user");
  const failed = naive.failed(isByUser ? within(asked.history.calls, { ...asked.window, unit: 1 }) : callsIn(asked));
  const groups = by(failed, (call) => JSON.stringify(dimensions.map((dimension) => FAILURES[dimension](call))));
  const refused = dimensions.includes("reason") ? refusedIn(asked) : [];
  const refusedGroups = by(refused, ({ reason, keyId }) =>
    JSON.stringify(dimensions.map((dimension) => (dimension === "reason" ? reason : keyId))),
  );
  const valuesOf = (key: string) =>
    Object.fromEntries((JSON.parse(key) as string[]).map((value, at) => [dimensions[at] ?? "", value]));
  const span = { fromMs: NO_FIGURE, toMs: NO_FIGURE, stepMs: NO_FIGURE };
  return {
    input: { by: dimensions },
    output: {
      ...span,
      latestCalls: null,
      groupCount: groups.length + refusedGroups.length,
      groups: [
        ...groups.map(([key, own]) => {
          const times = own.map(naive.timeOf);
          const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
          return {
            isRefused: false,
            values: valuesOf(key),
            calls: own.length,
            firstMs,
            lastMs,
            firstStepMs: 0,
            lastStepMs: 0,
            latestId: NO_FIGURE,
          };
        }),
        ...refusedGroups.map(([key, own]) => {
          const [first, last] = [Math.min(...own.map(({ atMs }) => atMs)), Math.max(...own.map(({ atMs }) => atMs))];
          const times = { firstMs: first, lastMs: last, firstStepMs: 0, lastStepMs: 0 };
          return {
            isRefused: true,
            values: valuesOf(key),
            calls: sum(own, (one) => one.calls),
            ...times,
            latestId: NO_FIGURE,
          };
        }),
      ] as const,
    },
  };
}
