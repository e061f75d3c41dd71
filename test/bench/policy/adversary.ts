import { Decision, decide } from "../../../src/learning/bandit/decide.ts";
import { UNSEEN } from "../../../src/learning/bandit/estimates.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import type { FeedbackEvent } from "../../../src/learning/events.ts";
import { type BatchContext, learnBatch } from "../../../src/learning/learner/learn-batch.ts";
import { WorkloadModel } from "../../../src/learning/learner/workload-model.ts";
import { ShadowPlay } from "../replay/shadow-play.ts";
import { WORLDS, type World } from "../trials/world.ts";

/** Calls of a month, by so many end users. */
const CALLS = 6000;
const USERS = 300;
const JUDGE = { share: 0.1, accuracy: 0.8 };
/** Calls after which a delayed rater says something. */
const DELAY = 500;
/** The part of the month after which it is late. */
const LATE = 0.75;

/** What a rater goes by beside the answer. */
interface Known {
  readonly world: World;
  readonly random: SeededRandom;
}

/** What a hostile rater says of an answer; undefined for nothing. Honest ones say what is true, as often as people do. */
interface Attack {
  readonly title: string;
  /** True if every answer is rated, and not only as many as others rate. */
  readonly isFlood: boolean;
  readonly delay: number;
  /** The chance that a call is one of the hostile raters, beside their share of the users. */
  readonly callsMore: number;
  readonly value: (isRight: boolean, served: string, known: Known) => boolean | number | undefined;
}

const wrong = (isRight: boolean) => !isRight;
const COMMON = { isFlood: false, delay: 0, callsMore: 1, value: wrong };

/** The kinds of hostile raters. */
export const ATTACKS = {
  wrong: { ...COMMON, title: "always wrong, as often as others rate" },
  "one-model": {
    ...COMMON,
    title: "praise base and complain of all others, on each answer",
    isFlood: true,
    value: (_isRight: boolean, served: string) => served === "base",
  },
  "other-model": {
    ...COMMON,
    title: "praise the worst model and complain of all others, on each answer",
    isFlood: true,
    value: (_isRight: boolean, served: string, { world }: Known) => served === worstOf(world.skills),
  },
  extreme: {
    ...COMMON,
    title: "send 1e300 for wrong and -1e300 for right answers, where others give 0 and 1",
    isFlood: true,
    value: (isRight: boolean) => (isRight ? -1e300 : 1e300),
  },
  flood: { ...COMMON, title: "always wrong, on each answer", isFlood: true },
  copies: {
    ...COMMON,
    title: "always wrong, on each answer, with five times as many calls",
    isFlood: true,
    callsMore: 5,
  },
  delayed: { ...COMMON, title: "always wrong, on each answer, 500 calls later", isFlood: true, delay: DELAY },
  silent: { ...COMMON, title: "say nothing: what is lost without their votes", value: () => undefined },
  redrawn: {
    ...COMMON,
    title: "say what is true of other answers: what chance alone changes",
    value: (_isRight: boolean, served: string, { world, random }: Known) =>
      random.uniform() < meanOf(world.skills[served]),
  },
} as const satisfies Record<string, Attack>;

/** A kind of hostile raters. */
export type AttackKind = keyof typeof ATTACKS;

function worstOf(skills: World["skills"]): string {
  const [worst = ""] = Object.keys(skills).sort((one, other) => meanOf(skills[one]) - meanOf(skills[other]));
  return worst;
}

function meanOf(skill: ((family: number) => number) | undefined): number {
  return Array.from({ length: 10 }, (_, family) => skill?.(family) ?? 0).reduce((sum, value) => sum + value, 0) / 10;
}

/** The outcome of a month. */
interface Month {
  /** The mean skill of who answered, and the share of those who are better than base in the last quarter. */
  readonly reward: number;
  readonly lateShare: number;
}

/** Plays a month of a world in which a share of the end users is hostile. */
export function playMonth(world: World, kind: AttackKind, { share, seed }: { share: number; seed: number }): Month {
  const attack: Attack = ATTACKS[kind];
  const arms = Object.keys(world.skills);
  const shape = { arms, base: "base", objective: "quality", feedback: "voluntary", guarded: [] } as const;
  const memory = WorkloadModel.begin({ projectId: "p", model: "base" }, shape, {});
  const { state, familySplits } = memory;
  const shadow = new ShadowPlay({ ...JUDGE, biasSd: 0 }, { models: arms.length, seed });
  const decision = new Decision(arms.length);
  const eligible = new Uint8Array(arms.length).fill(1);
  const hostile = Math.round(share * USERS);
  const waiting = new Map<number, () => void>();
  const isNumber = kind === "extreme";
  let [reward, late] = [0, 0];
  for (let at = 0; at < CALLS; at++) {
    // Draws of its own for each call: what hostile raters change shifts no other call's.
    const random = new SeededRandom(seed * CALLS + at);
    const family = Math.floor(random.uniform() * world.families);
    const name = `tag:${family}`;
    decide(state, { family: state.families.find(name) ?? UNSEEN, eligible, seed: random.bits() }, decision);
    const { arm } = decision;
    const servedModel = arms[arm] ?? "base";
    const skillOf = (model: string) => world.skills[model]?.(family) ?? 0;
    const isRight = random.uniform() < skillOf(servedModel);
    reward += skillOf(servedModel);
    if (at >= LATE * CALLS && skillOf(servedModel) > skillOf("base")) late += 1;
    learn(state, { kind: "served", family: name, arm });
    const answer = (model: number) => ({
      score: Number(random.uniform() < skillOf(arms[model] ?? "")),
      price: undefined,
    });
    shadow.try(state, { name, familySplits, decision, score: Number(isRight), answer });
    const user = Math.floor(random.uniform() * (USERS + (attack.callsMore - 1) * hostile));
    const isHostile = user < hostile * attack.callsMore;
    const rates = random.uniform() < world.feedbackOn(isRight) || (isHostile && attack.isFlood);
    if (rates) {
      const truth = isNumber ? Number(isRight) : isRight;
      const value = isHostile ? attack.value(isRight, servedModel, { world, random }) : truth;
      if (value === undefined) continue;
      const tell = (): void => {
        const rewarded = rate(memory, { at, name, servedModel, value, user: isHostile ? user % hostile : user });
        const grade = rewarded === undefined ? undefined : shadow.gradeRated(state, { arm, score: Number(isRight) });
        if (rewarded !== undefined && grade !== undefined)
          learnBatch(
            [
              {
                kind: "checked",
                id: String(at),
                inferenceId: idOf(at),
                projectId: "p",
                model: "base",
                servedModel,
                family: name,
                ...(grade.isSecondGood !== undefined && { isSecondGood: grade.isSecondGood }),
                isGood: grade.isGood,
                reward: rewarded,
              },
            ],
            contextOf(memory),
          );
      };
      if (isHostile && attack.delay > 0) waiting.set(at + attack.delay, tell);
      else tell();
    } else shadow.passSilent(state, { arm, score: Number(isRight) });
    waiting.get(at)?.();
    waiting.delete(at);
  }
  return { reward: reward / CALLS, lateShare: late / ((1 - LATE) * CALLS) };
}

/** Has a rater say something of an answer; returns its reward where a judge is held against it. */
function rate(
  memory: WorkloadModel,
  {
    at,
    name: family,
    servedModel,
    value,
    user,
  }: {
    readonly at: number;
    readonly name: string;
    readonly servedModel: string;
    readonly value: boolean | number;
    readonly user: number;
  },
): number | undefined {
  const inferenceId = idOf(at);
  const event: FeedbackEvent = {
    kind: "feedback",
    id: String(at),
    inferenceId,
    attempt: null,
    projectId: "p",
    name: "ok",
    value,
    optimize: null,
    keyId: "k",
    atMs: at,
  };
  let rewarded: number | undefined;
  learnBatch([event], {
    ...contextOf(memory),
    targets: new Map([[inferenceId, { model: "base", servedModel, family, endUserId: String(user) }]]),
    onReward: (reward) => {
      rewarded = reward;
    },
  });
  return rewarded;
}

function idOf(at: number): string {
  return `00000000-${String(at).padStart(8, "0")}`;
}

function contextOf(memory: WorkloadModel): BatchContext {
  return { memoryOf: () => memory, targets: new Map(), repeated: new Set(), others: new Map() };
}

/** A row of the table: what hostile raters cost beside the same months without them. */
export interface AdversaryRow {
  readonly world: string;
  readonly attack: string;
  readonly share: number;
  readonly reward: number;
  readonly cost: number;
  readonly worst: number;
  readonly lateShare: number;
  readonly lateShareWithout: number;
}

/** Plays all worlds with a kind of hostile raters. */
export function measureAdversary(
  kind: AttackKind,
  shares: readonly number[],
  seeds: readonly number[],
): AdversaryRow[] {
  return WORLDS.flatMap((world) => {
    const without = seeds.map((seed) => playMonth(world, kind, { share: 0, seed }));
    return shares.map((share): AdversaryRow => {
      const months = seeds.map((seed) => playMonth(world, kind, { share, seed }));
      const costs = months.map(({ reward }, at) => (without[at]?.reward ?? 0) - reward);
      return {
        world: world.name,
        attack: kind,
        share,
        reward: mean(months.map(({ reward }) => reward)),
        cost: mean(costs),
        worst: Math.max(...costs),
        lateShare: mean(months.map(({ lateShare }) => lateShare)),
        lateShareWithout: mean(without.map(({ lateShare }) => lateShare)),
      };
    });
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
