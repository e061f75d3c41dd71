import { Command as CommanderCommand } from "commander";
import { buildRoot } from "../../src/cli/build-command.ts";
import { choice, defineRootCommand, flag, option, required, UsageError, withPreset } from "../../src/cli/command.ts";
import { readPriors } from "../../src/cli/commands/replay.ts";
import { json, readNumber } from "../../src/cli/options.ts";
import { fail, print, printJson, printTable, tell } from "../../src/cli/output.ts";
import { readRows } from "./replay/read-rows.ts";
import { replay } from "./replay/replay.ts";
import type { ReplayReport } from "./replay/summarise.ts";

// Replays rows with known scores by the policy that chooses models: `npm run bench:replay -- --data FILE --base median`.

/** Progress is told of at most so often. */
const TELL_EVERY_MS = 2000;

const HELP = `
The file has a JSON object on each line, and may be compressed by gzip:
  {"dataset": "maths", "prompt_id": "7", "prompt": "...", "scores": {"model-a": 0.5, "model-b": 1}, "cost": {"model-a": 0.001, "model-b": 0.002}}
"dataset" is the family of the prompt; scores are from 0 to 1; "cost", in US dollars, may be left out of all rows.

The policy is the one that the service runs. At each step it sees a prompt's family, chooses a model and learns that
model's score and no other. docs/replay.md says how rows are drawn, and what each figure means.`;

const command = defineRootCommand({
  options: {
    data: required(option("file", "rows as JSON lines, also as gzip")),
    base: required(option("model", "the model that callers ask for; best or median means that one by mean score")),
    seeds: withPreset(option("number", "streams to replay", wholeNumber(1)), 20),
    firstSeed: withPreset(option("number", "seed of the first stream", wholeNumber(0)), 0),
    steps: withPreset(option("number", "requests of each stream", wholeNumber(1)), 5000),
    holdout: withPreset(option("number", "rows that are history only", wholeNumber(0)), 1000),
    hideFamily: flag("hide the family from the policy: it clusters prompts instead"),
    delay: withPreset(option("steps", "how many requests later feedback comes", wholeNumber(0)), 0),
    observed: withPreset(option("share", "share of the requests that get feedback, 0 to 1", readShare), 1),
    complaints: {
      ...option(
        "bad:good",
        "instead of --observed: the chance of feedback on a bad and on a good answer, such as 0.1:0",
        readChances,
      ),
      conflicts: ["observed"],
    },
    session: withPreset(
      option("number", "requests of a session, which get one feedback: their mean", wholeNumber(1)),
      1,
    ),
    unit: withPreset(
      choice("unit", "with --session: decide and count feedback once for a session or for every request", [
        "request",
        "session",
      ]),
      "session",
    ),
    shadow: option("share", "share of the requests that another model is asked too; see --judge", readShare),
    judge: option("accuracy", "how often a grade of an answer is right, 0 to 1", readShare),
    secondJudge: option("accuracy", "how often a grade of a second judge, of favors of its own, is right", readShare),
    judgeBias: option("sd", "standard deviation over models of what is added to the chance of a good grade", readShare),
    history: option("number", "requests before the stream that base alone answered; see --backfill", wholeNumber(1)),
    backfill: option("number", "the most recorded requests that other models are asked for", wholeNumber(0)),
    review: option("number", "answers to recorded requests that a person looks at", wholeNumber(0)),
    driftAt: option("step", "mirror the order of the models from this step on", wholeNumber(0)),
    candidates: option(
      "number",
      "let the policy ask for up to so many answers (2 to 4); see --selector",
      readCandidates,
    ),
    selector: option(
      "share",
      "how often the better of two answers is chosen; best-of-n is used from 0.75 on",
      readShare,
    ),
    objective: withPreset(
      choice("objective", "what the policy is after", ["quality", "balanced", "cost", "latency"]),
      "quality",
    ),
    feedback: withPreset(
      choice("kind", "voluntary guards complaints per request too, as a workload does by default", [
        "complete",
        "voluntary",
      ]),
      "complete",
    ),
    priors: option("file", "JSON with the prior advantage of models over base: {model: advantage}"),
    ...json("object", ["run", "meanDelta", "sdDelta", "regret"]),
  },
  help: HELP,
  findMistake({ candidates, selector, shadow, judge, secondJudge, judgeBias, history, backfill, review }) {
    if ((backfill ?? review) !== undefined && history === undefined) return "--backfill and --review need --history";
    if (history !== undefined && shadow === undefined) return "--history needs --shadow and --judge";
    if ((candidates === undefined) !== (selector === undefined)) return "--candidates and --selector go together";
    if ((shadow === undefined) !== (judge === undefined)) return "--shadow and --judge go together";
    if (secondJudge !== undefined && judge === undefined) return "--second-judge needs --judge";
    return judgeBias !== undefined && judge === undefined ? "--judge-bias needs --judge" : undefined;
  },
  async run({ data, priors, candidates, selector, shadow, judge, secondJudge, judgeBias = 0, json: isJson, ...rest }) {
    try {
      const set = await readRows(data).catch((error: Error) => {
        throw new Error(`${data}: ${error.message}`);
      });
      const { complaints, driftAt, history, backfill = 0, review = 0, ...options } = rest;
      const report = await replay(set, {
        ...options,
        ...(complaints !== undefined && { complaints }),
        ...(driftAt !== undefined && { driftAt }),
        ...(priors !== undefined && { priors: readPriors(priors, set.models) }),
        ...(candidates !== undefined &&
          selector !== undefined && { candidates: { most: candidates, accuracy: selector } }),
        ...(shadow !== undefined &&
          judge !== undefined && {
            shadow: {
              share: shadow,
              accuracy: judge,
              biasSd: judgeBias,
              ...(secondJudge !== undefined && { secondAccuracy: secondJudge }),
            },
          }),
        ...(history !== undefined && { backfill: { history, most: backfill, review } }),
        onSeed: createProgress(rest.seeds),
      });
      if (report.run.steps < rest.steps) {
        tell(`the file has rows for streams of ${report.run.steps} steps, and not ${rest.steps}`);
      }
      if (isJson) printJson(report);
      else printReport(report);
    } catch (thrown) {
      fail(thrown instanceof Error ? thrown.message : String(thrown));
    }
  },
});

function createProgress(seeds: number): (done: number) => void {
  let toldAt = performance.now();
  return (done) => {
    if (done === seeds || performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    tell(`replayed ${done} of ${seeds} streams`);
  };
}

function printReport(report: ReplayReport): void {
  const { run, regret } = report;
  print(
    `policy ${run.policy}, base ${run.base}, ${run.seeds} streams of ${run.steps} requests from ${run.rows} rows\n`,
  );
  const text = (value: number | null, digits = 4): string => (value === null ? "-" : value.toFixed(digits));
  printTable(
    ["FIGURE", "VALUE"],
    [
      ["reward above base's", `${text(report.meanDelta)} +- ${text(report.sdDelta)}`],
      ["in the first 1,000 requests", text(report.deltaAt1000)],
      ["of the worst stream", text(report.worstDelta)],
      ["most ever behind base, in rewards", text(report.maxDeficit, 1)],
      ["cost, as a multiple of base's", text(report.costRatio, 3)],
      ["share of the gap to the best model per family", text(report.taskGapShare, 3)],
      ...Object.entries(regret).map(([step, value]) => [`regret after ${step} requests`, text(value, 1)]),
      ["share not answered by base", text(report.deviatingShare, 3)],
      ...(report.severalShare > 0 ? [["share with best-of-n", text(report.severalShare, 3)]] : []),
      ...(report.judgeCalls > 0
        ? [
            ["shadow trials, as a share of requests", text(report.shadowCalls, 3)],
            ["grades, as a share of requests", text(report.judgeCalls, 3)],
            ["cost of shadow trials, as a multiple of base's", text(report.trialCostRatio, 3)],
          ]
        : []),
      ["microseconds per decision, p50", text(report.decisionMicrosP50, 2)],
      ["microseconds per decision, p99", text(report.decisionMicrosP99, 2)],
    ],
  );
}

function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > 0xffffffff) {
      throw new UsageError(`must be a whole number from ${least}`);
    }
    return value;
  };
}

function readChances(text: string): { bad: number; good: number } {
  const [bad = "", good = "", ...others] = text.split(":");
  if (good === "" || others.length > 0) throw new UsageError("must be two numbers, such as 0.1:0");
  return { bad: readShare(bad), good: readShare(good) };
}

function readCandidates(text: string): number {
  if (!/^[234]$/.test(text)) throw new UsageError("must be 2, 3 or 4");
  return Number(text);
}

function readShare(text: string): number {
  const value = readNumber(text);
  if (value < 0 || value > 1) throw new UsageError("must be a number from 0 to 1");
  return value;
}

const program = new CommanderCommand("npm run bench:replay --");
buildRoot(program, command);
await program.parseAsync();
