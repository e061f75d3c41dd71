/**
 * Measures how soon the choice among two candidates follows feedback that prefers short answers: what is learned is
 * learned, and what is chosen is chosen, by the code that serves requests.
 */
import { create } from "@bufbuild/protobuf";
import { FinishReason, GenerateResponseSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../src/hub/input.ts";
import type { ArrivedAnswer, CandidateChoice } from "../../src/inference/ports.ts";
import type { Beliefs } from "../../src/learning/best-of-n/ranker.ts";
import { sigmoid } from "../../src/learning/best-of-n/sigmoid.ts";
import { SelectionMemory } from "../../src/learning/learner/selection-memory.ts";
import { createRandom } from "../../src/lib/hash.ts";
import { getCandidates } from "../../src/routing/candidates/requested-candidates.ts";
import type { Selection } from "../../src/routing/candidates/selection.ts";
import { readOptions } from "../support/read-options.ts";
import { stubModel } from "../support/stub-upstream.ts";

const USAGE = `usage: node test/bench/selector.ts [--seeds 100] [--trials | --flips | --models]

  --trials   how many trials it takes until nothing more is to be found out
  --flips    how many rewards it takes until a preference is followed that has become the opposite
  --models   what it is worth to know what the policy expects of two models that are asked`;
const values = readOptions(USAGE, {
  seeds: { type: "string", default: "100" },
  trials: { type: "boolean", default: false },
  flips: { type: "boolean", default: false },
  models: { type: "boolean", default: false },
});
const SEEDS = Number(values.seeds);
const REQUESTS = 2000;
const HELD_OUT = 1000;
const AT = [50, 200, 1000];
/** What one more of the logarithm of the length takes off the logarithm of the odds of an answer being good. */
const PREFERENCES = { none: 0, weak: 2, clear: 4, strong: 10 };
/** When people look at the answer that was not returned, too, and say what they think of it. */
type Looks = "never" | "always" | "where the returned one is bad";
/**
 * How a workload begins: with the same of three other workloads of the project, as parts of it, which have 300 rewards
 * each; and whether there is feedback on the other answers.
 */
const WAYS: Readonly<Record<string, { readonly others?: readonly number[]; readonly looks?: Looks }>> = {
  scratch: {},
  pooled: { others: [0.5, 1, 1.5] },
  contrary: { others: [-0.5, -1, -1.5] },
  "scratch, both": { looks: "always" },
  "scratch, both if bad": { looks: "where the returned one is bad" },
};
const POOLED_EVENTS = 300;
/** Rewards before and after a preference becomes another one, and how often it is looked at meanwhile. */
const BEFORE_FLIP = 1500;
const AFTER_FLIP = 3000;
const LOOKED_EVERY = 20;
/**
 * Spread of the logarithm of the lengths of answers to one prompt, and over prompts; of how good any answer to a prompt
 * is.
 */
const SPREAD = { answer: 0.3, prompt: 0.6, difficulty: 1 };

interface Answer {
  readonly arrived: ArrivedAnswer;
  /** Logarithm of its length over that of answers to its prompt. */
  readonly length: number;
  /** What its model adds to the logarithm of the odds of it being good; 0 if absent. */
  readonly skill?: number;
}

interface Request {
  readonly answers: readonly Answer[];
  /** Logarithm of the odds that any answer to it is good. */
  readonly ease: number;
}

const input = createHubInput({ model: "attune/m", candidates: 2 });
const candidates = ({ selector }: SelectionMemory, selection: Omit<Selection, "selector">) =>
  getCandidates(input, stubModel, { judge: undefined, selection: { selector, ...selection } });
const judge = candidates(SelectionMemory.begin([]), { acts: false, random: () => 0 }).judge;

const world = createRandom("world");
const requests = await Promise.all(Array.from({ length: REQUESTS + HELD_OUT }, () => drawRequest(world)));
const heldOut = requests.slice(REQUESTS);

if (values.trials) {
  printTrials();
  process.exit();
}
if (values.models) {
  printModels();
  process.exit();
}
if (values.flips) {
  printFlips();
  process.exit();
}
console.log(
  "| preference | begins | feedback | right in pairs: mean ± sd (worst) | with the weights known | estimate: mean ± sd | lower end: mean | proven (ever) | short returned |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
for (const [preference, strength] of Object.entries(PREFERENCES)) {
  for (const [begins, way] of Object.entries(WAYS)) {
    if (way.others !== undefined && strength === 0) continue;
    const runs = Array.from({ length: SEEDS }, (_, seed) => play(`${preference} ${begins} ${seed}`, strength, way));
    for (const [index, events] of AT.entries()) {
      const figures = runs.flatMap((run) => run[index] ?? []);
      const right = statsOf(figures.map((each) => each.right));
      const estimate = statsOf(figures.map(({ value }) => value));
      console.log(
        `| ${[
          ...[preference, begins, events],
          `${right.mean} ± ${right.sd} (${right.least})`,
          ...[statsOf(figures.map(({ ceiling }) => ceiling)).mean, `${estimate.mean} ± ${estimate.sd}`],
          statsOf(figures.map(({ low }) => low)).mean,
          `${percentOf(figures.map(({ isProven }) => isProven))} (${percentOf(figures.map(({ wasProven }) => wasProven))})`,
          percentOf(figures.map(({ short }) => short)),
        ].join(" | ")} |`,
      );
    }
  }
}

/** Prints how many trials with feedback there are, and what comes of them. */
function printTrials(): void {
  console.log("| preference | begins | right in pairs | trials with feedback: median (most) | proven in the end |");
  console.log("| --- | --- | --- | --- | --- |");
  for (const [preference, strength] of Object.entries(PREFERENCES)) {
    for (const begins of ["scratch", "pooled", "contrary"]) {
      if (begins !== "scratch" && strength === 0) continue;
      const ends = Array.from({ length: SEEDS }, (_, seed) => {
        const random = createRandom(`trials ${preference} ${begins} ${seed}`);
        const memory = beginWith(WAYS[begins]?.others ?? [], strength, random);
        let trials = 0;
        while (memory.selector.isUndecided) {
          serve(memory, strength, { random, looks: "never", isTrial: true });
          trials += 1;
        }
        return { ...look(memory, strength, random), trials };
      });
      const trials = ends.map((end) => end.trials).sort((a, b) => a - b);
      const right = statsOf(ends.map((end) => end.right)).mean;
      const taken = `${trials[Math.floor(SEEDS / 2)]} (${trials.at(-1)})`;
      console.log(
        `| ${[preference, begins, right, taken, percentOf(ends.map(({ isProven }) => isProven))].join(" | ")} |`,
      );
    }
  }
}

/**
 * Prints how often the better answer is preferred of two models of which one is better, and clients care about length
 * not at all or clearly.
 */
function printModels(): void {
  console.log("| models apart by | preference | looks at models | right in pairs after 50 | 200 | 1000 |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const apart of [0, 1, 2]) {
    for (const preference of ["none", "clear"] as const) {
      for (const isKnown of [false, true]) {
        const right = AT.map((): number[] => []);
        for (let seed = 0; seed < SEEDS; seed++) {
          const random = createRandom(`models ${apart} ${preference} ${seed}`);
          const memory = SelectionMemory.begin([]);
          const world = { strength: PREFERENCES[preference], apart, isKnown };
          for (let events = 1; events <= Math.max(...AT); events++) {
            serveModels(memory, world, random);
            right[AT.indexOf(events)]?.push(rightOfModels(memory, world, random));
          }
        }
        const parts = right.map((each) => statsOf(each)).map(({ mean, sd }) => `${mean} ± ${sd}`);
        console.log(`| ${[apart, preference, isKnown ? "yes" : "no", ...parts].join(" | ")} |`);
      }
    }
  }
}

interface ModelsWorld {
  readonly strength: number;
  /** By how much the logarithms of the odds of both models are apart. */
  readonly apart: number;
  readonly isKnown: boolean;
}

/** The same request, of which one answer is of a better model; either comes first. */
function ofTwoModels({ answers, ease }: Request, { apart }: ModelsWorld, random: () => number): Request {
  const good = Number(random() < 0.5);
  return {
    ease,
    answers: answers.map((answer, at) => ({
      ...answer,
      arrived: { ...answer.arrived, model: at === good ? "good" : "fair" },
      skill: (at === good ? 1 : -1) * (apart / 2),
    })),
  };
}

/** What the policy knows of them: their mean rewards. */
function worthsOf({ apart, isKnown }: ModelsWorld): Selection["worths"] {
  if (!isKnown) return undefined;
  const meanOf = (skill: number): number => {
    const eases = Array.from({ length: 81 }, (_, at) => (at - 40) / 10);
    const weights = eases.map((ease) => Math.exp(-(ease ** 2) / 2));
    return sumOf(eases.map((ease, at) => (weights[at] ?? 0) * sigmoid(ease + skill))) / sumOf(weights);
  };
  return new Map([
    ["good", meanOf(apart / 2)],
    ["fair", meanOf(-apart / 2)],
  ]);
}

function serveModels(memory: SelectionMemory, world: ModelsWorld, random: () => number): void {
  const request = ofTwoModels(requests[Math.floor(random() * REQUESTS)] as Request, world, random);
  const choice = choose(memory, request, { acts: true, random, worths: worthsOf(world) });
  const compared = choice.answers[choice.chosen];
  const past = {
    candidates: choice.answers.flatMap((answer) => answer.ranking?.signals ?? []),
    returned: choice.chosen,
    chance: compared?.ranking?.chance ?? 1,
    isRandom: compared?.reason === "random",
    expected: choice.answers.map((answer) => answer.ranking?.expectedReward),
  };
  const isGood = random() < goodness(request, request.answers[choice.chosen], world.strength);
  memory.selector.learn(past, Number(isGood), 1);
}

function rightOfModels(memory: SelectionMemory, world: ModelsWorld, random: () => number): number {
  let [differing, right] = [0, 0];
  for (const each of heldOut) {
    const request = ofTwoModels(each, world, random);
    const [one, other] = request.answers.map((answer) => random() < goodness(request, answer, world.strength));
    if (one === other) continue;
    const { answers } = choose(memory, request, { acts: false, random, worths: worthsOf(world) });
    const [ofOne = 0, ofOther = 0] = answers.map(({ ranking }) => ranking?.expectedReward ?? 0);
    differing += 1;
    right += ofOne === ofOther ? 0.5 : Number(ofOne > ofOther === one);
  }
  return right / differing;
}

/**
 * Prints what becomes of a preference that is known, once it has become the opposite; `stays` is one that does not,
 * where nothing may be noticed.
 */
function printFlips(): void {
  console.log(
    "| preference | then | wrong choices: first 100, 200, 500 | right again after: median (most) | noticed after: median (most) | proven again after: median (most) | noticed where nothing changed |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  for (const preference of ["clear", "strong"] as const) {
    for (const [then, part] of [
      ["opposite", -1],
      ["none", 0],
      ["stays", 1],
    ] as const) {
      const runs = Array.from({ length: SEEDS }, (_, seed) =>
        flip(`flips ${preference} ${then} ${seed}`, PREFERENCES[preference], part),
      );
      const wrong = [100, 200, 500].map((count) =>
        percentOf(runs.map((run) => sumOf(run.wrong.slice(0, count)) / count)),
      );
      const after = (at: (run: Flip) => number | undefined): string => {
        const found = runs.flatMap((run) => at(run) ?? []).sort((a, b) => a - b);
        const part = found.length === runs.length ? "" : `, ${percentOf([found.length / runs.length])} of them`;
        return found.length === 0 ? "never" : `${found[Math.floor(found.length / 2)]} (${found.at(-1)}${part})`;
      };
      console.log(
        `| ${[
          ...[preference, then, wrong.join(", ")],
          ...[after((run) => run.rightAgain), after((run) => run.noticed), after((run) => run.provenAgain)],
          percentOf(runs.map((run) => run.wasNoticedBefore)),
        ].join(" | ")} |`,
      );
    }
  }
}

/** What a change of the preference has led to; numbers are rewards after it. */
interface Flip {
  /**
   * For each request, 1 where the answer was returned that is now the worse one by what is preferred; half where
   * nothing is.
   */
  readonly wrong: readonly number[];
  /** When it was right in more pairs than not, by as much as 0.1, for the first time since. */
  readonly rightAgain: number | undefined;
  /** When it was measured anew, or lost its standing. */
  readonly noticed: number | undefined;
  readonly provenAgain: number | undefined;
  /** Whether it was measured anew before anything had changed. */
  readonly wasNoticedBefore: boolean;
}

function flip(seed: string, strength: number, part: number): Flip {
  const random = createRandom(seed);
  const memory = beginWith([], strength, random);
  for (let at = 0; at < BEFORE_FLIP; at++) serve(memory, strength, { random, looks: "never" });
  const wasNoticedBefore = startOf(memory) > 0;
  const wrong: number[] = [];
  let [rightAgain, noticed, provenAgain]: (number | undefined)[] = [];
  let [wasProven, since] = [memory.selector.isProven, startOf(memory)];
  for (let at = 1; at <= AFTER_FLIP; at++) {
    const short = serve(memory, strength * part, { random, looks: "never" });
    wrong.push(part === 0 ? 0.5 : part > 0 ? 1 - short : short);
    if (rightAgain === undefined && at % LOOKED_EVERY === 0 && look(memory, strength * part, random, 300).right > 0.6)
      rightAgain = at;
    const { isProven } = memory.selector;
    if ((wasProven && !isProven) || startOf(memory) > since) noticed ??= at;
    if (noticed !== undefined && isProven) provenAgain ??= at;
    [wasProven, since] = [isProven, startOf(memory)];
  }
  return { wrong, rightAgain, noticed, provenAgain, wasNoticedBefore };
}

/** Rewards after which what is measured began. */
function startOf({ selector }: SelectionMemory): number {
  return selector.measuredSince;
}

/** What a workload has come to after so many rewards. */
interface Figures {
  /**
   * Part of the pairs of answers that differ in which it prefers the good one, and the part where the shorter one is
   * good.
   */
  readonly right: number;
  readonly ceiling: number;
  readonly value: number;
  readonly low: number;
  readonly isProven: boolean;
  /** Whether it was at any time until now. */
  readonly wasProven: boolean;
  /** Part of the latest requests that the shorter answer was returned to. */
  readonly short: number;
}

function play(
  seed: string,
  strength: number,
  { others = [], looks = "never" }: (typeof WAYS)[string],
): readonly Figures[] {
  const random = createRandom(seed);
  const memory = beginWith(others, strength, random);
  const shorts: number[] = [];
  let wasProven = false;
  const figures: Figures[] = [];
  for (let events = 1; events <= Math.max(...AT); events++) {
    shorts.push(serve(memory, strength, { random, looks }));
    wasProven ||= memory.selector.isProven;
    const short = sumOf(shorts.slice(-50)) / 50;
    if (AT.includes(events)) figures.push({ ...look(memory, strength, random), wasProven, short });
  }
  return figures;
}

/** Begins a workload with what others have learned, whose preferences are parts of its own. */
function beginWith(others: readonly number[], strength: number, random: () => number): SelectionMemory {
  const known = others.map((part): Beliefs => {
    const other = SelectionMemory.begin([]);
    for (let at = 0; at < POOLED_EVENTS; at++) serve(other, strength * part, { random, looks: "never" });
    return other.selector.beliefs;
  });
  return SelectionMemory.begin(known);
}

/** Serves a request, and learns what is said of it; returns 1 if the shorter answer was returned. */
function serve(
  memory: SelectionMemory,
  strength: number,
  {
    random,
    looks,
    isTrial = false,
  }: { readonly random: () => number; readonly looks: Looks; readonly isTrial?: boolean },
): number {
  const request = requests[Math.floor(random() * REQUESTS)] as Request;
  const choice = choose(memory, request, { acts: true, random, isTrial });
  const [returned, other] = [request.answers[choice.chosen], request.answers[1 - choice.chosen]];
  const compared = choice.answers[choice.chosen];
  const signals = choice.answers.flatMap((answer) => answer.ranking?.signals ?? []);
  const past = {
    candidates: signals,
    returned: choice.chosen,
    chance: compared?.ranking?.chance ?? 1,
    expected: choice.answers.map((answer) => answer.ranking?.expectedReward),
    isRandom: compared?.reason === "random",
  };
  const isGood = random() < goodness(request, returned, strength);
  memory.selector.learn(past, Number(isGood), 1);
  if (looks === "always" || (looks !== "never" && !isGood)) {
    const isOtherGood = random() < goodness(request, other, strength);
    memory.selector.learnOther(past, 1 - choice.chosen, { reward: Number(isOtherGood), weight: 1 });
    if (isGood !== isOtherGood)
      memory.selector.compare(
        past,
        ...(isGood ? ([choice.chosen, 1 - choice.chosen] as const) : ([1 - choice.chosen, choice.chosen] as const)),
      );
  }
  return Number((returned?.length ?? 0) < (other?.length ?? 0));
}

function look(
  memory: SelectionMemory,
  strength: number,
  random: () => number,
  pairs = HELD_OUT,
): Omit<Figures, "short" | "wasProven"> {
  let [differing, right, ceiling] = [0, 0, 0];
  for (const request of heldOut.slice(0, pairs)) {
    const [one, other] = request.answers.map((answer) => random() < goodness(request, answer, strength));
    if (one === other) continue;
    const { answers } = choose(memory, request, { acts: false, random });
    const expected = answers.map(({ ranking }) => ranking?.expectedReward ?? 0);
    const [length = 0, otherLength = 0] = request.answers.map((answer) => answer.length);
    const [ofOne = 0, ofOther = 0] = expected;
    differing += 1;
    right += ofOne === ofOther ? 0.5 : Number(ofOne > ofOther === one);
    ceiling += Number(length < otherLength === one);
  }
  const { value, low } = memory.selector.accuracy;
  return { right: right / differing, ceiling: ceiling / differing, value, low, isProven: memory.selector.isProven };
}

function choose(
  memory: SelectionMemory,
  { answers }: Request,
  selection: Omit<Selection, "selector">,
): CandidateChoice {
  const arrived = answers.map((answer) => answer.arrived);
  const choice = candidates(memory, selection).choose(arrived, 0);
  if (choice === undefined) throw new Error("nothing was chosen though all have come");
  return choice;
}

function goodness({ ease }: Request, answer: Answer | undefined, strength: number): number {
  return sigmoid(ease + (answer?.skill ?? 0) - strength * (answer?.length ?? 0));
}

/** Two answers to a prompt; the shorter one mostly comes first. */
async function drawRequest(random: () => number): Promise<Request> {
  const usual = Math.log(1200) + SPREAD.prompt * normal(random);
  const answers = await Promise.all(
    [0, 1].map(async () => {
      const length = SPREAD.answer * normal(random);
      const text = drawText(Math.round(Math.exp(usual + length)), random);
      const answer = create(GenerateResponseSchema, {
        content: [{ kind: { case: "text", value: { text } } }],
        finished: { reason: FinishReason.STOP },
      });
      return {
        arrived: { ...(await judge(answer, new AbortController().signal)), isElsewhere: false, model: "m" },
        length,
        cameAt: length + 0.3 * normal(random),
      };
    }),
  );
  answers.sort((one, other) => one.cameAt - other.cameAt);
  return { answers, ease: SPREAD.difficulty * normal(random) };
}

/** Words of five letters out of some hundreds. */
function drawText(characters: number, random: () => number): string {
  const words = Array.from(
    { length: Math.ceil(characters / 6) },
    () => `word${Math.floor(random() * 36).toString(36)}`,
  );
  return words.join(" ");
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function percentOf(parts: readonly (number | boolean)[]): string {
  return `${Math.round((100 * sumOf(parts.map(Number))) / parts.length)}%`;
}

function statsOf(numbers: readonly number[]) {
  const mean = sumOf(numbers) / numbers.length;
  const sd = Math.sqrt(sumOf(numbers.map((number) => (number - mean) ** 2)) / Math.max(1, numbers.length - 1));
  return { mean: mean.toFixed(3), sd: sd.toFixed(3), least: Math.min(...numbers).toFixed(3) };
}
