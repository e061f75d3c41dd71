/** Shows in one minute what feedback does: node scripts/demo.ts --help */

import { SeededRandom } from "../src/learning/bandit/seeded-random.ts";
import { readOptions } from "../test/support/read-options.ts";
import { type AttuneProcess, RECORDING, startAttune } from "./demo/attune-process.ts";
import { Course } from "./demo/course.ts";
import { Customers } from "./demo/customers.ts";
import { demonstrateImprovement } from "./demo/improvement.ts";
import { createScreen } from "./demo/screen.ts";
import { MODELS, startScriptedModels } from "./demo/scripted-models.ts";

const HELP = `Sends the questions of a bookshop's customers through Attune, and draws the effect of their feedback.
It needs no API key. The models are scripted: each answers correctly with a fixed probability.

  --improve      second act: records a month, runs 'attune improve', and compares answers blind
  --calls N      number of questions (3000, or 2000 with --improve)
  --seconds N    minimum duration (60)
  --feedback P   share of the answers that get a thumb (0.05)
  --seed N       the same seed asks the same questions, with the same luck (1)
  --port N       port of the service (a free one)
  --stay         keeps the service running at the end even if stdout isn't a terminal; Ctrl-C ends it
  --serve        asks no questions, and keeps the service and its scripted models running for your application`;

/** Questions that wait for their answers at the same time. */
const CONCURRENT_QUESTIONS = 16;
const QUESTIONS = "3000";
const QUESTIONS_OF_MONTH = "2000";

const values = readOptions(HELP, {
  improve: { type: "boolean", default: false },
  calls: { type: "string" },
  seconds: { type: "string", default: "60" },
  feedback: { type: "string", default: "0.05" },
  seed: { type: "string", default: "1" },
  port: { type: "string", default: "0" },
  stay: { type: "boolean", default: false },
  serve: { type: "boolean", default: false },
});
await demonstrate().catch((thrown: unknown) => {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
});

async function demonstrate(): Promise<void> {
  const calls = numberOf("calls", 1, 100_000);
  const seconds = numberOf("seconds", 0, 3600);
  const feedback = numberOf("feedback", 0, 1);
  const random = new SeededRandom(numberOf("seed", 0, 2 ** 31));
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort()).once("SIGTERM", () => stop.abort());
  const models = await startScriptedModels(random);
  const attune = await startAttune({
    modelsUrl: models.url,
    port: numberOf("port", 0, 65_535),
    ...(values.improve && { learning: RECORDING }),
  });
  try {
    if (values.serve) {
      console.log(`address    ${attune.url}\nkey        ${attune.key}`);
      console.log(`models     ${MODELS.map(({ name }) => `attune/${name}`).join(", ")}`);
    } else if (values.improve) {
      const concurrency = CONCURRENT_QUESTIONS;
      await demonstrateImprovement({ attune, models, random, calls, feedback, concurrency, signal: stop.signal });
    } else {
      const course = new Course(models);
      const screen = createScreen(process.stdout, course, { calls, dashboard: `${attune.url}/dashboard` });
      const customers = new Customers({ url: attune.url, key: attune.key, course, random, feedback });
      await customers.ask({
        calls,
        seconds,
        concurrency: CONCURRENT_QUESTIONS,
        signal: stop.signal,
        onAnswer: screen.draw,
      });
      screen.end();
      console.log("The second act, with a month on record and one command: npm run demo -- --improve");
    }
    if (!stop.signal.aborted && (values.serve || values.stay || process.stdout.isTTY)) await stay(attune, stop.signal);
  } finally {
    await attune.stop();
    await models.close();
  }
}

async function stay({ url, account }: AttuneProcess, signal: AbortSignal): Promise<void> {
  console.log(`dashboard  ${url}/dashboard/workloads\n           ${account}`);
  console.log("The service stays up. Ctrl-C ends it and deletes its data.");
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

function numberOf(option: "calls" | "seconds" | "feedback" | "seed" | "port", least: number, most: number): number {
  const value = values[option] ?? (values.improve ? QUESTIONS_OF_MONTH : QUESTIONS);
  const number = Number(value);
  const isWhole = option === "feedback" || Number.isInteger(number);
  if (value.trim() !== "" && isWhole && number >= least && number <= most) return number;
  console.error(`--${option}: '${value}' is not a number from ${least} to ${most}`);
  process.exit(2);
}
