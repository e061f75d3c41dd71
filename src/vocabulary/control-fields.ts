import { capitalize, toCamelCase } from "../lib/letter-case.ts";
import type { MetricSettings } from "./metric-overrides.ts";

interface AnyField {
  /** Its place in the message `Controls`, which update masks name. */
  readonly path: string;
  /** A noun for people: `reward per price`. */
  readonly noun: string;
  /** Label in forms, where it isn't the noun. */
  readonly label?: string;
  /** One sentence without a period, for forms, `attune workloads set --help` and the schema of projects. */
  readonly help: string;
  /** Option of `attune workloads set`, without its dashes; other commands set those that have none. */
  readonly option?: string;
  /** The setting whose path in a mask covers this one. */
  readonly within?: string;
  /** In attune.yaml: the value if absent, if there is one, and the description. */
  readonly configured?: { readonly default?: string | number; readonly help: string };
}

/** One word of several. */
interface ChoiceField extends AnyField {
  readonly kind: "choice";
  /** Labels of the words. */
  readonly words: Readonly<Record<string, string>>;
  /** The word that holds where nobody has said anything. */
  readonly default?: string;
}

/** A number from 0 to `most`. */
interface NumberField extends AnyField {
  readonly kind: "number";
  readonly most: number;
  readonly unit?: "usd";
  readonly example: number;
}

interface TextField extends AnyField {
  readonly kind: "text";
  /** Most characters. */
  readonly most: number;
}

interface OtherField extends AnyField {
  readonly kind: "model" | "models" | "metrics";
}

/** A setting of learning, as people write and read it. */
type ControlField = ChoiceField | NumberField | TextField | OtherField;

/**
 * The settings of learning, of a workload or of a project for all its workloads. Update masks, messages, options of
 * commands, the schemas of configuration and projects, columns, forms and the history derive from these rows. This file
 * is longer than 300 lines, because a table reads best in one place.
 */
export const CONTROL_FIELDS = {
  mode: {
    path: "mode",
    kind: "choice",
    words: {
      off: "Off: learn nothing",
      observe: "Observe: record decisions only",
      on: "On: other models may answer",
    },
    noun: "mode",
    help: "What feedback may change",
    option: "mode <mode>",
    configured: {
      default: "on",
      help:
        "Default effect of feedback: off: none; observe: choices are recorded but not applied; on: a better model " +
        "answers",
    },
  },
  hold: {
    path: "hold",
    kind: "choice",
    words: {
      free: "Free: the model that feedback favors",
      frozen: "Frozen: only base answers",
      pinned: "Pinned: one model answers wherever it can",
    },
    noun: "hold",
    help: "Who answers whatever is learned; free ends a hold of the project",
  },
  pinned: {
    path: "pinned_model",
    kind: "model",
    within: "hold",
    noun: "pinned model",
    help: "Of hold pinned: the model that answers",
  },
  excluded: {
    path: "excluded_models",
    kind: "models",
    noun: "excluded models",
    help: "Models that never answer in base's place",
  },
  objective: {
    path: "objective",
    kind: "choice",
    words: {
      quality: "Quality: better feedback",
      balanced: "Balanced: better feedback, weighed against cost",
      cost: "Cost: cheaper, within a margin",
      latency: "Latency: faster, within a margin",
    },
    default: "quality",
    noun: "objective",
    help: "What is made better",
    option: "objective <objective>",
  },
  rewardPerPrice: {
    path: "reward_per_price",
    kind: "number",
    most: 1,
    example: 0.005,
    noun: "reward per price",
    help:
      "Extra reward, from 0 to 1, that a model must earn for each multiple of the base model's price that it costs " +
      "more",
    option: "reward-per-price <reward>",
    configured: {
      default: 0.005,
      help:
        "For the objectives quality and balanced: reward (0 to 1) that a model must add for each time the base " +
        "model's price that it costs more: 0.005",
    },
  },
  usdPerReward: {
    path: "usd_per_reward",
    kind: "number",
    most: 1_000_000,
    unit: "usd",
    example: 0.02,
    noun: "USD for one reward",
    help: "How much one more reward is worth, in USD; replaces the reward per price unless 0",
    option: "usd-per-reward <amount>",
    configured: {
      default: 0,
      help:
        "For the objectives quality and balanced: worth of one more reward, such as a thumbs up, in USD; it then " +
        "replaces rewardPerPrice; 0 for none: 0.02",
    },
  },
  feedback: {
    path: "feedback",
    kind: "choice",
    words: { voluntary: "Some callers give feedback", complete: "Every call gets feedback" },
    default: "voluntary",
    noun: "feedback",
    help: "Whether feedback comes on every inference",
    option: "feedback <extent>",
  },
  metrics: { path: "metrics", kind: "metrics", noun: "metrics", help: "Settings of metrics" },
  unit: {
    path: "unit",
    kind: "choice",
    words: { session: "A session: one model answers it", request: "Each call on its own" },
    default: "session",
    noun: "unit of a decision",
    help: "The calls that one decision on who answers is for",
    option: "unit <unit>",
    configured: {
      default: "session",
      help: "The model is chosen once for each session, if a call has one, or for each request",
    },
  },
  shadowShare: {
    path: "shadow.share",
    kind: "number",
    most: 1,
    example: 0.1,
    noun: "share of shadow trials",
    label: "Share of answers",
    help: "Part of the answers that are tried; 0 for none",
    option: "shadow <share>",
    configured: {
      default: 0,
      help: "Share of each workload's answers after which another model is tried: 0.1",
    },
  },
  shadowJudge: {
    path: "shadow.judge",
    kind: "model",
    noun: "judge",
    help: "Model that grades",
    option: "judge <model>",
    configured: { help: "Model that grades both answers" },
  },
  shadowSecondJudge: {
    path: "shadow.second_judge",
    kind: "model",
    noun: "second judge",
    help: "Model that grades as well, best of another vendor, once its grades are worth their price",
    option: "second-judge <model>",
    configured: {
      help:
        "Second judge, preferably of another vendor, since models of one vendor favor the same answers. It is " +
        "measured by the same feedback, and grades trials once that is worth its price",
    },
  },
  shadowUsdPerDay: {
    path: "shadow.usd_per_day",
    kind: "number",
    most: 1_000_000,
    unit: "usd",
    example: 5,
    noun: "USD a day for shadow trials",
    label: "USD a day",
    help: "Maximum cost of trials and grades per day, in USD",
    option: "usd-day <amount>",
    configured: {
      default: 5,
      help: "Daily budget (UTC) of trials and grades over all processes, in USD, for models with a price",
    },
  },
  shadowRubric: {
    path: "shadow.rubric",
    kind: "text",
    most: 4000,
    noun: "rubric",
    help: "What a satisfactory answer is, for the judge",
    option: "rubric <text>",
    configured: { help: "Criteria of a satisfactory answer, for the judge: Answers name the article of the contract" },
  },
} as const satisfies Readonly<Record<string, ControlField>>;

type Fields = typeof CONTROL_FIELDS;

/** The name of a setting. */
export type ControlName = keyof Fields;

/** All names, in the order of the rows. */
export const CONTROL_NAMES = Object.keys(CONTROL_FIELDS) as readonly ControlName[];

/** The names of the settings of a kind. */
export type ControlsOfKind<Kind extends ControlField["kind"]> = {
  [Name in ControlName]: Fields[Name]["kind"] extends Kind ? Name : never;
}[ControlName];

/** The value of a setting. */
export type ControlValue<Name extends ControlName> = Fields[Name] extends { readonly words: infer Words }
  ? keyof Words
  : Fields[Name]["kind"] extends "number"
    ? number
    : Fields[Name]["kind"] extends "models"
      ? readonly string[]
      : Fields[Name]["kind"] extends "metrics"
        ? readonly MetricSettings[]
        : string;

/** The settings of a workload, or of a project for all its workloads; null inherits from the next in line. */
export type ControlSettings = { readonly [Name in ControlName]: ControlValue<Name> | null };

/** Settings of which nothing is said. */
export const NO_CONTROLS = Object.fromEntries(CONTROL_NAMES.map((name) => [name, null])) as unknown as ControlSettings;

/** Returns whether a text is the name of a setting. */
export function isControlName(text: string): text is ControlName {
  return Object.hasOwn(CONTROL_FIELDS, text);
}

/** Returns the row of a setting, as one of whichever kind. */
export function controlField(name: ControlName): ControlField {
  return CONTROL_FIELDS[name];
}

/** Returns the words of a choice. */
export function controlWords<Name extends ControlsOfKind<"choice">>(name: Name): readonly ControlValue<Name>[] {
  return Object.keys(CONTROL_FIELDS[name].words) as ControlValue<Name>[];
}

/** Returns the label of a setting in forms. */
export function controlLabel(name: ControlName): string {
  const { label, noun } = controlField(name);
  return label ?? capitalize(noun);
}

/** Returns the name of a setting's place as JSON has it: shadow.usdPerDay. */
export function controlJsonPath(name: ControlName): string {
  return toCamelCase(CONTROL_FIELDS[name].path);
}

/** Returns the path in update masks that covers a setting: its own, or that of the setting that it goes with. */
export function controlMaskPath(name: ControlName): string {
  const { within, path } = controlField(name);
  return CONTROL_NAMES.includes(within as ControlName) ? CONTROL_FIELDS[within as ControlName].path : path;
}

/** The settings of shadow trials, which stand together in messages and in the configuration. */
export type ShadowName = Extract<ControlName, `shadow${string}`>;

/** Returns the member of a group that a setting is: shadowShare is share. */
export type MemberOf<Name extends ControlName> = Name extends `shadow${infer Rest}` ? Uncapitalize<Rest> : Name;

/** Returns the member of a group that a setting is. */
export function getMember<Name extends ControlName>(name: Name): MemberOf<Name> {
  const [, first = "", rest = ""] = /^shadow(.)(.*)$/.exec(name) ?? [];
  return (first === "" ? name : `${first.toLowerCase()}${rest}`) as MemberOf<Name>;
}

/** The settings that attune.yaml may have for all workloads. */
export type ConfiguredName = {
  [Name in ControlName]: Fields[Name] extends { readonly configured: object } ? Name : never;
}[ControlName];

/** The settings that always have a value: by their row, or by the configuration. */
type DefaultedName = {
  [Name in ControlName]: Fields[Name] extends
    | { readonly default: unknown }
    | { readonly kind: "choice"; readonly configured: object }
    ? Name
    : never;
}[ControlName];

/** The settings that hold by themselves, without another one and without those of shadow trials. */
type PlainName = Exclude<ControlsOfKind<"choice" | "number" | "text" | "model">, "hold" | "pinned" | ShadowName>;

/** Settings of a workload, of those that hold by themselves. */
export type PlainControls = {
  readonly [Name in Extract<PlainName, DefaultedName>]: ControlValue<Name>;
} & { readonly [Name in Exclude<PlainName, DefaultedName>]?: ControlValue<Name> };
