import { styleText } from "node:util";
import type { SeededRandom } from "../../src/learning/bandit/seeded-random.ts";
import type { AttuneProcess } from "./attune-process.ts";
import { Course } from "./course.ts";
import { Customers } from "./customers.ts";
import { judgePairs } from "./judge-pairs.ts";
import { describeShares, percent } from "./screen.ts";
import type { ScriptedModels } from "./scripted-models.ts";

/** Questions after the improvement. */
const AFTER = 300;
/** Most that the improvement may cost. */
const USD = 2;
/** Pairs of answers that a colleague compares. */
const PAIRS = 25;

interface ImprovementOptions {
  readonly attune: AttuneProcess;
  readonly models: ScriptedModels;
  readonly random: SeededRandom;
  /** Questions of the recorded month. */
  readonly calls: number;
  /** The chance of a thumb. */
  readonly feedback: number;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/**
 * Records a month on the usual model, asks others for its requests by `attune improve`, has a colleague look at pairs of
 * answers, and asks on.
 */
export async function demonstrateImprovement(options: ImprovementOptions): Promise<void> {
  const { attune, calls, signal } = options;
  heading(`A month: ${calls} customers ask 'attune/standard', and some rate the answer. No other model is tried.`);
  const month = await ask(options, calls, options.feedback);
  console.log(`  ${month.thumbs} answers rated. ${describe(month)}`);
  if (signal.aborted) return;
  heading(`$ attune improve standard --usd ${USD}`);
  const began = performance.now();
  await attune.run(["improve", "standard", "--usd", String(USD)]);
  console.log(`  Done after ${((performance.now() - began) / 1000).toFixed(0)} s.`);
  if (signal.aborted) return;
  heading(`A colleague compares ${PAIRS} pairs of answers blind, as on the workload's page:`);
  const judged = await judgePairs(attune, { model: "standard", pairs: PAIRS });
  console.log(
    `  Of ${judged.pairs} pairs, the other model's answer alone was right in ${judged.better}, and base's in ${judged.worse}.`,
  );
  heading("$ attune improve standard --report");
  await attune.run(["improve", "standard", "--report"]);
  if (signal.aborted) return;
  heading(`The next ${AFTER} customers, who rate nothing:`);
  console.log(`  ${describe(await ask(options, AFTER, 0))}`);
  console.log(`  ${attune.url}/dashboard`);
}

async function ask(options: ImprovementOptions, calls: number, feedback: number): Promise<Course> {
  const { attune, models, random, concurrency, signal } = options;
  const course = new Course(models);
  const customers = new Customers({ url: attune.url, key: attune.key, course, random, feedback });
  await customers.ask({ calls, seconds: 0, concurrency, signal, onAnswer: () => {} });
  return course;
}

function describe(course: Course): string {
  const { right, usdPerThousand, latencyMs } = course.after;
  const figures = `${percent(right)} right, ${usdPerThousand.toFixed(2)} USD per 1,000, ${latencyMs.toFixed(0)} ms`;
  return `${figures}. Answered by: ${describeShares(course)}`;
}

function heading(text: string): void {
  console.log(`\n${styleText("bold", text)}`);
}
