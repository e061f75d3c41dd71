import { create, type DescField } from "@bufbuild/protobuf";
import {
  type Controls,
  ControlsSchema,
  Direction,
  type MetricSettings as MetricMessage,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import { numberFromWord, wordFromNumber } from "../lib/protobuf/enum-word.ts";
import {
  CONTROL_FIELDS,
  CONTROL_NAMES,
  type ControlName,
  type ControlSettings,
  controlMaskPath,
} from "../vocabulary/control-fields.ts";
import type { MetricSettings } from "../vocabulary/metric-overrides.ts";

/** Returns the id of a model: its name with the prefix. */
export type IdOf = (model: string) => string;

type Members = Record<string, unknown>;

const DIRECTIONS = { max: Direction.MAX, min: Direction.MIN } as const;

/** All that an update mask may name. */
export const CONTROL_PATHS: readonly string[] = [...new Set(CONTROL_NAMES.map(controlMaskPath))];

/** Returns the settings that a path of CONTROL_PATHS covers. */
export function controlsAt(path: string): readonly ControlName[] {
  return CONTROL_NAMES.filter((name) => controlMaskPath(name) === path);
}

/** Returns whether controls have a value at a path of CONTROL_PATHS. */
export function isControlSet(controls: Controls, path: string): boolean {
  return controlsAt(path).some((name) => readControl(controls, name) !== null);
}

/** Encodes settings; those that are absent are unspecified. */
export function settingsToMessage(settings: Partial<ControlSettings>, idOf: IdOf): Controls {
  const message: Members = {};
  for (const name of CONTROL_NAMES) {
    const value = settings[name];
    if (value == null) continue;
    const fields = fieldsTo(name);
    const holder = fields.slice(0, -1).reduce((outer, { localName }) => {
      outer[localName] ??= {};
      return outer[localName] as Members;
    }, message);
    const last = fields.at(-1);
    if (last !== undefined) holder[last.localName] = encode(name, last, { value, idOf });
  }
  return create(ControlsSchema, message);
}

/** Reads a setting, with ids of models as they are said; null where nothing is said of it. */
export function readControl(controls: Controls, name: ControlName): ControlSettings[ControlName] {
  const fields = fieldsTo(name);
  const value = fields.reduce<unknown>(
    (holder, { localName }) => (holder as Members | undefined)?.[localName],
    controls,
  );
  if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) return null;
  const { kind } = CONTROL_FIELDS[name];
  if (kind === "metrics") return (value as MetricMessage[]).map(metricFromMessage);
  const last = fields.at(-1);
  const isEnum = kind === "choice" && last?.fieldKind === "enum";
  // Messages have values of the kinds of their fields.
  return isEnum ? (wordFromNumber(last.enum, value as number) as never) : (value as never);
}

/** Reads the settings of a metric. */
function metricFromMessage({ name, weight, direction, atLeast, atMost }: MetricMessage): MetricSettings {
  const way = direction === Direction.MAX ? "max" : direction === Direction.MIN ? "min" : undefined;
  return {
    name,
    ...(weight !== undefined && { weight }),
    ...(way !== undefined && { direction: way }),
    ...(atLeast !== undefined && { atLeast }),
    ...(atMost !== undefined && { atMost }),
  };
}

function metricToMessage({ direction, ...settings }: MetricSettings) {
  return { ...settings, direction: direction === undefined ? Direction.UNSPECIFIED : DIRECTIONS[direction] };
}

function encode(
  name: ControlName,
  field: DescField,
  { value, idOf }: { readonly value: NonNullable<ControlSettings[ControlName]>; readonly idOf: IdOf },
): unknown {
  switch (CONTROL_FIELDS[name].kind) {
    case "choice":
      return field.fieldKind === "enum" ? numberFromWord(field.enum, String(value)) : value;
    case "model":
      return idOf(String(value));
    case "models":
      return (value as readonly string[]).map(idOf);
    case "metrics":
      return (value as readonly MetricSettings[]).map(metricToMessage);
    default:
      return value;
  }
}

/** Returns the fields that lead to a setting; throws where the proto does not have it. */
function fieldsTo(name: ControlName): readonly DescField[] {
  const known = FIELDS.get(name);
  if (known !== undefined) return known;
  let message: typeof ControlsSchema | undefined = ControlsSchema;
  const fields = CONTROL_FIELDS[name].path.split(".").map((part) => {
    const field: DescField | undefined = message?.fields.find((each) => each.name === part);
    if (field === undefined) throw new Error(`attune.workload.v1.Controls has no field ${CONTROL_FIELDS[name].path}`);
    message = field.fieldKind === "message" ? (field.message as typeof ControlsSchema) : undefined;
    return field;
  });
  FIELDS.set(name, fields);
  return fields;
}

const FIELDS = new Map<ControlName, readonly DescField[]>();
