import { learn } from "../../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import type { AnswerGrade } from "../../../src/learning/bandit/shadow/judge-record.ts";
import { weighEvidence } from "../../../src/learning/bandit/shadow/weigh-evidence.ts";
import type { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { chooseBackfill, type RecordedFamily } from "../../../src/learning/improve/choose-backfill.ts";
import { limitCalls } from "../../../src/learning/improve/limit-calls.ts";
import { getVerdictWorths } from "../../../src/learning/improve/verdict-worths.ts";
import { LEAST_REVIEWED } from "../../../src/vocabulary/improvement.ts";
import { answerOf, type ReplaySet } from "./replay-set.ts";
import type { StreamOptions } from "./run-stream.ts";
import type { ShadowPlay } from "./shadow-play.ts";

/** What a workload has before a stream, and what it makes of that. */
export interface ReplayedBackfill {
  /** Requests that base alone has answered. */
  readonly history: number;
  /** The most of them that other models are asked for. */
  readonly most: number;
  /** Pairs of answers to these that a person judges. */
  readonly review: number;
}

/** Trials between two times at which the evidence is weighed; one without any promise ends the backfill. */
const BATCH = 20;

/** Base's answer to a recorded row and that of a model that was asked for it, which the judge has graded. */
interface Pair {
  readonly row: number;
  readonly arm: number;
  readonly family: string;
  readonly grade: AnswerGrade;
}

interface BackfillOptions extends Pick<StreamOptions, "familyNameOf" | "feedbackOn"> {
  /** The recorded rows, in their order. */
  readonly rows: Int32Array;
  readonly shadow: ShadowPlay;
  readonly seed: number;
}

/** Has base answer the recorded rows, others some of them, and a person judge some of these. */
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
  const pairs: Pair[] = [];
  const ask = (calls: number): void => {
    for (let asked = 0, promises = 1; asked < calls; asked++) {
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
      state.recordedTrials += 1;
      const [, grade = { isGood: false }] = answers.map((answer) => shadow.grade(state, trial.family.name, answer));
      pairs.push({ row, arm: trial.arm, family: trial.family.name, grade });
    }
  };
  let reviewed = 0;
  const look = (verdicts: number): void => {
    for (let looked = 0; looked < verdicts && pairs.length > 0; looked++, reviewed++) {
      weighEvidence(state);
      judge(set, state, takePair(state, pairs), shadow);
    }
  };
  const { judges } = shadow;
  const first = limitCalls(most, { judges, reviewed });
  ask(first);
  // A person looks as soon as more may be asked then.
  if (first < most) look(Math.min(LEAST_REVIEWED, review));
  ask(limitCalls(most, { judges, reviewed }) - first);
  look(review - reviewed);
  weighEvidence(state);
}

/** Takes the latest pair of the model that a verdict is worth the most of, as the service shows them. */
function takePair(state: WorkloadState, pairs: Pair[]): Pair {
  const worths = getVerdictWorths(state);
  let best = pairs.length - 1;
  for (let at = best - 1; at >= 0; at--) {
    if ((worths[pairs[at]?.arm ?? 0] ?? 0) > (worths[pairs[best]?.arm ?? 0] ?? 0)) best = at;
  }
  return pairs.splice(best, 1)[0] as Pair;
}

/** Has a person judge both answers of a pair, as the service learns it. */
function judge(set: ReplaySet, state: WorkloadState, { row, arm, family, grade }: Pair, shadow: ShadowPlay): void {
  const { score: reward } = answerOf(set, row, arm);
  learn(state, { kind: "checked", arm, reward, ...grade });
  learn(state, { kind: "judged", family, arm, reward });
  const { score } = answerOf(set, row, state.base);
  learn(state, { kind: "rewarded", family, arm: state.base, reward: score });
  shadow.check(state, { arm: state.base, family: set.familyOf[row], score, reward: score });
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
