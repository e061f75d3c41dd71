import { z } from "zod";
import {
  CONTROL_NAMES,
  type ControlName,
  type ControlValue,
  controlField,
} from "../../../vocabulary/control-fields.ts";

const text = z.string("must be a text");
const number = z.number("must be a number");
const figure = number.optional();

/** The settings of a metric. A metric with only a name has its settings taken back. */
export const metricInput = z.strictObject({
  name: text,
  weight: figure,
  direction: z.enum(["max", "min"], { error: "must be max or min" }).optional(),
  atLeast: figure,
  atMost: figure,
});

/** The settings of a workload; null inherits from the project, and there from the configuration. */
export const controlsInput = z.object({
  /** Base; empty for all workloads of the project. */
  model: text,
  ...settingFields(),
  /** Metrics that are not named keep their settings. */
  metrics: z.array(metricInput, "must be a list").optional(),
});

type SingleName = Exclude<ControlName, "metrics">;

function settingFields() {
  const names = CONTROL_NAMES.filter((name): name is SingleName => name !== "metrics");
  // Each has the schema of its row.
  return Object.fromEntries(names.map((name) => [name, valueSchema(name).nullable().optional()])) as {
    [Name in SingleName]: z.ZodOptional<z.ZodNullable<z.ZodType<ControlValue<Name>, ControlValue<Name>>>>;
  };
}

/** Returns the schema of a setting's value. */
function valueSchema(setting: SingleName): z.ZodType {
  const field = controlField(setting);
  switch (field.kind) {
    case "choice": {
      const words = Object.keys(field.words);
      return z.enum(words, { error: `must be one of ${words.join(", ")}, or null` });
    }
    case "number":
      return number;
    case "models":
      return z.array(text, "must be a list");
    default:
      return text;
  }
}
