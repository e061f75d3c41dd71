import { settingsToMessage } from "../learning/control-message.ts";
import { toCamelCase } from "../lib/letter-case.ts";
import {
  CONTROL_FIELDS,
  CONTROL_NAMES,
  type ControlName,
  type ControlSettings,
  type ControlValue,
  controlField,
  controlMaskPath,
  controlWords,
} from "../vocabulary/control-fields.ts";
import { option, type Parameter, UsageError } from "./command.ts";
import { readNumber } from "./options.ts";

/** The value that leaves a setting to the project, and there to the configuration. */
const DEFAULT = "default";

/** Reads the mode of learning; "default" leaves it to the project, and there to the configuration. */
export function readMode(text: string): ControlValue<"mode"> | "default" {
  const mode = [...controlWords("mode"), DEFAULT].find((known) => known === text);
  if (mode === undefined) throw new UsageError(`must be ${controlWords("mode").join(", ")}, ${DEFAULT}`);
  return mode as ControlValue<"mode"> | "default";
}

/** The settings that `set` sets, by their members in its values; other commands set the others. */
const SET_NAMES: ReadonlyMap<string, ControlName> = new Map(
  CONTROL_NAMES.flatMap((name) => {
    const [written] = controlField(name).option?.split(" ") ?? [];
    return written === undefined ? [] : [[toCamelCase(written, "-"), name] as const];
  }),
);

/** The options of `set`. */
export const SETTINGS: Readonly<Record<string, Parameter<string | number | undefined>>> = Object.fromEntries(
  [...SET_NAMES].map(([member, name]) => [member, settingOption(name)]),
);

/** The settings of `set` in words. */
export const SETTING_NOUNS: readonly string[] = [...SET_NAMES.values()].map((name) => CONTROL_FIELDS[name].noun);

function settingOption(name: ControlName) {
  const field = controlField(name);
  const value = /<([^<>]*)>/.exec(field.option ?? "")?.[1] ?? "value";
  const values = field.kind === "choice" ? Object.keys(field.words).join(", ") : "";
  const range = field.kind === "number" ? `0 to ${field.most}` : values;
  const help = `${field.help.slice(0, 1).toLowerCase()}${field.help.slice(1)}`;
  const summary = `${help}${range === "" ? "" : `: ${range}`}, or ${DEFAULT}`;
  return option(value, summary, (text) => (text === DEFAULT ? text : readSetting(name, text)));
}

function readSetting(name: ControlName, text: string): string | number {
  const field = controlField(name);
  if (field.kind === "number") return readNumber(text);
  if (field.kind === "choice" && !Object.hasOwn(field.words, text)) {
    throw new UsageError(`must be ${[...Object.keys(field.words), DEFAULT].join(", ")}`);
  }
  return text;
}

/** Returns what a request has that changes settings; models are named as callers do. */
export function toUpdate(changes: Partial<ControlSettings>) {
  const names = CONTROL_NAMES.filter((name) => name in changes);
  return {
    controls: settingsToMessage(changes, (name) => name),
    updateMask: { paths: [...new Set(names.map(controlMaskPath))] },
  };
}

/** Returns the change that the options of settings ask for; null leaves a setting to the project. */
export function toChanges(values: Readonly<Record<string, string | number | undefined>>): Partial<ControlSettings> {
  const given = [...SET_NAMES].filter(([member]) => values[member] !== undefined);
  return Object.fromEntries(given.map(([member, name]) => [name, values[member] === DEFAULT ? null : values[member]]));
}
