import { type Command, InvalidArgumentError, Option } from "commander";
import { readTime } from "./read-time.ts";

const HELP = `
With --data, the file has a JSON object on each line, and may be compressed by gzip:
  {"dataset": "maths", "prompt_id": "7", "prompt": "...", "scores": {"model-a": 0.5, "model-b": 1}, "cost": {"model-a": 0.001, "model-b": 0.002}}
"dataset" is the family of the prompt; scores are from 0 to 1; "cost", in US dollars, may be left out of all rows.

The policy is the one that the service runs. At each step it sees a prompt's family, chooses a model and learns that
model's score and no other.

Without --data, the configured database is read, and nothing is written: for the requests that asked for the base
model and got feedback, it tells what base alone, the policy, and each other model would have brought, as far as
chance has had them answer.

docs/replay.md says how rows are drawn, and what each figure means.`;

/** The options that only replays of rows take. */
const OF_ROWS = [
  "seeds",
  "firstSeed",
  "steps",
  "holdout",
  "hideFamily",
  "delay",
  "observed",
  "complaints",
  "session",
  "unit",
  "driftAt",
  "shadow",
  "judge",
  "judgeBias",
  "candidates",
  "selector",
];
/** The options that only replays of records take. */
const OF_RECORDS = ["project", "since"];

/** Adds `attune replay`. */
export function addReplayCommand(program: Command): void {
  const replay = program
    .command("replay")
    .description("estimate what the policy would have earned, on scored rows or on recorded requests")
    .option("--data <file>", "rows as JSON lines, also as gzip; without it, the records of the configured database")
    .requiredOption(
      "--base <model>",
      "the model that callers ask for; with --data, best or median means that one by mean score",
    )
    .addOption(
      new Option("--project <project>", "of the records: id or name of the project; the default one if absent"),
    )
    .option(
      "--since <time>",
      "of the records: from this time on, such as 2026-11-01 or 2026-11-01T12:00:00Z",
      readTime,
    );
  addRowOptions(replay)
    .addOption(
      new Option("--objective <objective>", "what the policy is after")
        .choices(["quality", "balanced", "cost", "latency"])
        .default("quality", "quality with --data, else what the workload has"),
    )
    .addOption(
      new Option("--feedback <kind>", "voluntary guards complaints per request too, as a workload does by default")
        .choices(["complete", "voluntary"])
        .default("complete", "complete with --data, else what the workload has"),
    )
    .option("--priors <file>", "JSON with the prior advantage of models over base: {model: advantage}")
    .option("--json", "print JSON")
    .addHelpText("after", HELP)
    .action(async (options, command: Command) => {
      const isSaid = (name: string) => command.getOptionValueSource(name) === "cli";
      const foreign = (options.data === undefined ? OF_ROWS : OF_RECORDS).find(isSaid);
      if (foreign !== undefined) {
        const flag = command.options.find((option) => option.attributeName() === foreign)?.long;
        command.error(
          `error: ${flag} is for ${options.data === undefined ? "rows: give --data" : "records: leave --data out"}`,
        );
      }
      if (isSaid("candidates") !== isSaid("selector")) {
        command.error("error: --candidates and --selector go together");
      }
      if (isSaid("shadow") !== isSaid("judge")) command.error("error: --shadow and --judge go together");
      if (isSaid("judgeBias") && !isSaid("judge")) command.error("error: --judge-bias needs --judge");
      if (options.data !== undefined) return await (await import("./run-replay.ts")).runReplay(options);
      const { objective, feedback, ...rest } = options;
      await (await import("./run-logged-replay.ts")).runLoggedReplay({
        ...rest,
        ...(isSaid("objective") && { objective }),
        ...(isSaid("feedback") && { feedback }),
      });
    });
}

/** Adds the options of how rows are played. */
function addRowOptions(command: Command): Command {
  return command
    .option("--seeds <number>", "streams to replay", wholeNumber(1), 20)
    .option("--first-seed <number>", "seed of the first stream", wholeNumber(0), 0)
    .option("--steps <number>", "requests of each stream", wholeNumber(1), 5000)
    .option("--holdout <number>", "rows that are history only", wholeNumber(0), 1000)
    .option("--hide-family", "hide the family from the policy: it clusters prompts instead")
    .option("--delay <steps>", "how many requests later feedback comes", wholeNumber(0), 0)
    .option("--observed <share>", "share of the requests that get feedback, 0 to 1", share, 1)
    .addOption(
      new Option(
        "--complaints <bad:good>",
        "instead of --observed: the chance of feedback on a bad and on a good answer, such as 0.1:0",
      )
        .argParser(chances)
        .conflicts("observed"),
    )
    .option("--session <number>", "requests of a session, which get one feedback: their mean", wholeNumber(1), 1)
    .addOption(
      new Option("--unit <unit>", "with --session: decide and count feedback once for a session or for every request")
        .choices(["request", "session"])
        .default("session"),
    )
    .option("--shadow <share>", "share of the requests that another model is asked too; see --judge", share)
    .option("--judge <accuracy>", "how often a grade of an answer is right, 0 to 1", share)
    .option("--judge-bias <sd>", "standard deviation over models of what is added to the chance of a good grade", share)
    .option("--drift-at <step>", "mirror the order of the models from this step on", wholeNumber(0))
    .option(
      "--candidates <number>",
      "let the policy ask for up to so many answers (2 to 4); see --selector",
      candidates,
    )
    .option(
      "--selector <share>",
      "how often the better of two answers is chosen; best-of-n is used from 0.75 on",
      share,
    );
}

function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > 0xffffffff) {
      throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
    }
    return value;
  };
}

function chances(text: string): { bad: number; good: number } {
  const [bad = "", good = "", ...others] = text.split(":");
  if (good === "" || others.length > 0) throw new InvalidArgumentError("It must be two numbers, such as 0.1:0.");
  return { bad: share(bad), good: share(good) };
}

function candidates(text: string): number {
  if (!/^[234]$/.test(text)) throw new InvalidArgumentError("It must be 2, 3 or 4.");
  return Number(text);
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("It must be a number from 0 to 1.");
  return value;
}
