import { learn } from "../../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../../src/learning/bandit/random.ts";
import { isComplaintsOnly } from "../../../src/learning/bandit/shadow/feedback-rate.ts";
import { weighEvidence } from "../../../src/learning/bandit/shadow/weigh-evidence.ts";
import type { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { chooseBackfill, chooseReviewed, type RecordedFamily } from "./choose-backfill.ts";
import { answerOf, type ReplaySet } from "./replay-set.ts";
import type { StreamOptions } from "./run-stream.ts";
import type { ShadowPlay } from "./shadow-play.ts";

/** What a workload has before a stream, and what it makes of that. */
export interface ReplayedBackfill {
  /** Requests that base alone has answered. */
  readonly history: number;
  /** The most of them that other models are asked for. */
  readonly most: number;
  /** Answers of these that a person looks at. */
  readonly review: number;
}

/** Trials between two times at which the evidence is weighed; one without any promise ends the backfill. */
const BATCH = 20;

interface BackfillOptions extends Pick<StreamOptions, "familyNameOf" | "feedbackOn"> {
  /** The recorded rows, in their order. */
  readonly rows: Int32Array;
  readonly shadow: ShadowPlay;
  readonly seed: number;
}

/** Has base answer the recorded rows, others some of them, and a person look at some of these. */
export function playBackfill(
  set: ReplaySet,
  state: WorkloadState,
  { most, review }: ReplayedBackfill,
  options: BackfillOptions,
): void {
  const { rows, familyNameOf, shadow } = options;
  const random = new SeededRandom(options.seed ^ 0x1b873593);
  playMonth(set, state, options, random);
  const waiting = new Map<string, number[]>();
  for (const row of rows) {
    const name = familyNameOf(row);
    const others = waiting.get(name);
    if (others === undefined) waiting.set(name, [row]);
    else others.push(row);
  }
  const shares = new Map([...waiting].map(([name, { length }]) => [name, length / rows.length]));
  const families = (): RecordedFamily[] =>
    [...waiting].map(([name, { length }]) => ({ name, share: shares.get(name) ?? 0, left: length }));
  const eligible = new Uint8Array(state.arms.length).fill(1);
  for (let asked = 0, promises = 1; asked < most; asked++) {
    if (asked % BATCH === 0) {
      weighEvidence(state);
      if (promises === 0 || state.evidence.gradeWeight === 0) break;
      promises = 0;
    }
    const trial = chooseBackfill(state, families(), { eligible, random });
    if (trial === undefined) continue;
    promises += 1;
    const row = waiting.get(trial.family.name)?.pop() ?? 0;
    const answers = [state.base, trial.arm].map((arm) => ({
      arm,
      family: set.familyOf[row],
      score: answerOf(set, row, arm).score,
    }));
    shadow.ask(answerOf(set, row, trial.arm));
    for (const answer of answers) shadow.grade(state, trial.family.name, answer);
  }
  for (let looked = 0; looked < review && state.evidence.gradeWeight > 0; looked++) {
    weighEvidence(state);
    const arm = isComplaintsOnly(state) && looked % 2 === 0 ? state.base : chooseReviewed(state, families(), eligible);
    if (arm === undefined) break;
    const left = [...waiting.values()][Math.floor(random.uniform() * waiting.size)] ?? [];
    const row = left.pop();
    if (row === undefined) continue;
    const { score } = answerOf(set, row, arm);
    if (arm !== state.base) shadow.ask(answerOf(set, row, arm));
    shadow.check(state, { arm, family: set.familyOf[row], score, reward: score });
  }
  weighEvidence(state);
}

/** A month on base alone, of which people say something of some answers. */
function playMonth(set: ReplaySet, state: WorkloadState, options: BackfillOptions, random: SeededRandom): void {
  for (const row of options.rows) {
    const family = options.familyNameOf(row);
    const { score, price } = answerOf(set, row, state.base);
    learn(state, { kind: "served", family, arm: state.base, ...(price !== undefined && { price }) });
    const reward = options.feedbackOn(state.base, score, random.uniform());
    const graded = { arm: state.base, family: set.familyOf[row], score };
    if (reward === undefined) options.shadow.passSilent(state, graded);
    else {
      options.shadow.check(state, { ...graded, reward });
      learn(state, { kind: "rewarded", family, arm: state.base, reward });
    }
  }
}
