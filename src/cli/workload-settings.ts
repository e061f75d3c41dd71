import type { ControlSettings } from "../learning/controls.ts";
import { settingsToMessage } from "../learning/workload-message.ts";
import { option, UsageError, type ValuesOf } from "./command.ts";
import { readNumber } from "./options.ts";

const MOST_USD = 1_000_000;
const MOST_RUBRIC = 4000;

const MODES = ["off", "observe", "on", "default"] as const;

/** Reads the mode of learning; "default" leaves it to the project, and there to the configuration. */
export const readMode = readWord(MODES);

/** The settings of `set`. */
export const SETTINGS = {
  mode: option("mode", MODES.join(", "), readMode),
  objective: setting("objective", ["quality", "balanced", "cost", "latency"]),
  rewardPerPrice: option(
    "reward",
    "reward, 0 to 1, that a model has to earn for each price of base that it costs more, or default",
    orDefault(readShare),
  ),
  feedback: {
    ...setting("extent", ["voluntary", "complete"]),
    summary: "voluntary: of some calls; complete: of every call; default",
  },
  unit: {
    ...setting("unit", ["session", "request"]),
    summary: "what one decision is for: session, request, default",
  },
  shadow: option("share", "share of the answers that are tried, 0 to 1, or default", orDefault(readShare)),
  judge: option("model", "model that grades, or default"),
  usdDay: option("amount", "most that trials and grades cost in a day, in USD, or default", orDefault(readUsd)),
  rubric: option("text", "what a satisfactory answer is, for the judge, or default", readRubric),
};

/** The paths of an update mask; what a model is pinned to goes with the hold. */
const PATHS: Record<Exclude<keyof ControlSettings, "pinned">, string> = {
  mode: "mode",
  hold: "hold",
  excluded: "excluded_models",
  objective: "objective",
  feedback: "feedback",
  rewardPerPrice: "reward_per_price",
  metrics: "metrics",
  unit: "unit",
  shadowShare: "shadow.share",
  shadowJudge: "shadow.judge",
  shadowUsdPerDay: "shadow.usd_per_day",
  shadowRubric: "shadow.rubric",
};

/** Returns what a request has that changes settings; models are named as callers do. */
export function toUpdate(changes: Partial<ControlSettings>) {
  const paths = Object.entries(PATHS).flatMap(([name, path]) => (name in changes ? [path] : []));
  return { controls: settingsToMessage(changes, (name) => name), updateMask: { paths } };
}

/** Returns the change that the options of settings ask for. */
export function toChanges(values: ValuesOf<typeof SETTINGS>): Partial<ControlSettings> {
  const { mode, objective, rewardPerPrice, feedback, unit, shadow, judge, usdDay, rubric } = values;
  const changes = {
    mode: mode && orNull(mode),
    objective: objective && orNull(objective),
    rewardPerPrice: rewardPerPrice === undefined ? undefined : orNull(rewardPerPrice),
    feedback: feedback && orNull(feedback),
    unit: unit && orNull(unit),
    shadowShare: shadow === undefined ? undefined : orNull(shadow),
    shadowJudge: judge && orNull(judge),
    shadowUsdPerDay: usdDay === undefined ? undefined : orNull(usdDay),
    shadowRubric: rubric && orNull(rubric),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Null leaves a setting to the project, and there to the configuration. */
function orNull<Value>(value: Value): Exclude<Value, "default"> | null {
  return value === "default" ? null : (value as Exclude<Value, "default">);
}

function setting<const Word extends string>(value: string, words: readonly Word[]) {
  return option(value, [...words, "default"].join(", "), readWord([...words, "default"]));
}

function readWord<const Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word === undefined) throw new UsageError(`must be ${words.join(", ")}`);
    return word;
  };
}

function orDefault(read: (text: string) => number): (text: string) => number | "default" {
  return (text) => (text === "default" ? text : read(text));
}

/** Reads a share, 0 to 1. */
export function readShare(text: string): number {
  const share = readNumber(text);
  if (share < 0 || share > 1) throw new UsageError("must be a number from 0 to 1");
  return share;
}

function readUsd(text: string): number {
  const amount = readNumber(text);
  if (amount < 0 || amount > MOST_USD) throw new UsageError(`must be an amount from 0 to ${MOST_USD}`);
  return amount;
}

function readRubric(text: string): string {
  if (text.trim() === "" || text.length > MOST_RUBRIC) {
    throw new UsageError(`must be a text of at most ${MOST_RUBRIC} characters`);
  }
  return text;
}
