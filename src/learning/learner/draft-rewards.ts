import { SESSION_MS } from "../../hub/sessions.ts";
import { idTimeMs } from "../../lib/ids.ts";
import type { RatedCall, StoredValue } from "../ports.ts";
import { MOST_VALUES } from "./answer-values.ts";

/** The values that make one reward, and the call that stands for it. */
export interface RewardDraft {
  readonly call: RatedCall;
  readonly values: readonly StoredValue[];
  /** The part of a reward that it counts for. */
  readonly share: number;
}

/**
 * Drafts the rewards of calls, which are one or those of a session, the oldest first. Where feedback is on the session
 * as a whole, each base model and family of the calls before it has one reward, for the model that served most of
 * these; values of these calls are part of it. Every other call with values has a reward of its own. Depends on nothing
 * but what is stored.
 */
export function draftRewards(
  calls: readonly RatedCall[],
  values: readonly StoredValue[],
): ReadonlyMap<string, RewardDraft> {
  const byCall = Map.groupBy(values.toSorted(byId), ({ inferenceId }) => inferenceId);
  const drafts = new Map<string, RewardDraft>();
  for (const run of getRuns(calls)) {
    const sessionFeedback = run.flatMap(({ id }) => (byCall.get(id) ?? []).filter(isWhole)).sort(byId);
    const pairs = [...Map.groupBy(judgedCalls(run, sessionFeedback), getPair)];
    const taken = new Set<string>();
    for (const [pair, ofPair] of pairs) {
      const served = mostServed(ofPair);
      const [call] = served;
      if (call === undefined) continue;
      for (const { id } of served) taken.add(id);
      const own = served.flatMap(({ id }) => firstOfEach(byCall.get(id) ?? []));
      drafts.set(`${run[0]?.id} ${pair}`, {
        call,
        values: [...latestOfEach(sessionFeedback), ...own],
        share: 1 / pairs.length,
      });
    }
    for (const call of run) {
      const own = taken.has(call.id) ? [] : firstOfEach(byCall.get(call.id) ?? []);
      if (own.length > 0) drafts.set(call.id, { call, values: own, share: 1 });
    }
  }
  return drafts;
}

/** Splits the calls where a pause ended a session. */
function getRuns(calls: readonly RatedCall[]): RatedCall[][] {
  const runs: RatedCall[][] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const call of calls) {
    const begunMs = idTimeMs(call.id) ?? 0;
    if (begunMs - lastMs > SESSION_MS) runs.push([]);
    runs.at(-1)?.push(call);
    lastMs = begunMs;
  }
  return runs;
}

/** The calls before the latest feedback on their session of which anything is learned, the latest first. */
function judgedCalls(run: readonly RatedCall[], sessionFeedback: readonly StoredValue[]): RatedCall[] {
  const untilMs = sessionFeedback.at(-1)?.atMs;
  if (untilMs === undefined) return [];
  const judgedOn = new Set(sessionFeedback.map(({ inferenceId }) => inferenceId));
  return run
    .filter(({ id, family }) => family !== "" && (judgedOn.has(id) || (idTimeMs(id) ?? 0) <= untilMs))
    .reverse();
}

function getPair({ model, family }: RatedCall): string {
  return JSON.stringify([model, family]);
}

/** The calls of the model that served most; of the one with the latest call where several served as many. */
function mostServed(calls: readonly RatedCall[]): readonly RatedCall[] {
  const groups = [...Map.groupBy(calls, ({ servedModel }) => servedModel).values()];
  return groups.reduce((one, other) => (other.length > one.length ? other : one), []);
}

function isWhole({ isOnSession }: StoredValue): boolean {
  return isOnSession === true;
}

function firstOfEach(values: readonly StoredValue[]): StoredValue[] {
  const first = new Map<string, StoredValue>();
  for (const value of values) if (!isWhole(value) && !first.has(value.name)) first.set(value.name, value);
  return [...first.values()].slice(0, MOST_VALUES);
}

function latestOfEach(values: readonly StoredValue[]): StoredValue[] {
  return [...new Map(values.map((value) => [value.name, value])).values()];
}

function byId(one: StoredValue, other: StoredValue): number {
  return one.id < other.id ? -1 : 1;
}
