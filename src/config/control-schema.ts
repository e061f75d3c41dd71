import { z } from "zod";
import {
  CONTROL_FIELDS,
  CONTROL_NAMES,
  type ConfiguredName,
  type ControlName,
  type ControlValue,
  controlField,
  controlJsonPath,
  getMember,
  type MemberOf,
  type ShadowName,
} from "../vocabulary/control-fields.ts";
import { anyText, modelName, upTo } from "./fields.ts";

type Configured<Name extends ConfiguredName> = (typeof CONTROL_FIELDS)[Name]["configured"] extends {
  readonly default: unknown;
}
  ? z.ZodDefault<z.ZodType<ControlValue<Name>>>
  : z.ZodOptional<z.ZodType<ControlValue<Name>>>;

type ConfiguredShape<Name extends ConfiguredName> = { [Each in Name as MemberOf<Each>]: Configured<Each> };

/** Returns the schemas of the settings of learning in attune.yaml, those of shadow trials by themselves. */
export function configuredControls() {
  const shapes: Record<"plain" | "shadow", Record<string, z.ZodType>> = { plain: {}, shadow: {} };
  for (const name of CONTROL_NAMES) {
    const { configured, path } = controlField(name);
    if (configured === undefined) continue;
    const schema = valueSchema(name, modelName());
    const complete = configured.default === undefined ? schema.optional() : schema.default(configured.default);
    shapes[path.startsWith("shadow.") ? "shadow" : "plain"][getMember(name)] = complete.describe(configured.help);
  }
  // Each has the schema of its row.
  return shapes as unknown as {
    readonly plain: ConfiguredShape<Exclude<ConfiguredName, ShadowName>>;
    readonly shadow: ConfiguredShape<Extract<ConfiguredName, ShadowName>>;
  };
}

/** Returns the schemas of the settings of learning in files of projects, those of shadow trials by themselves. */
export function projectControls(metrics: z.ZodType) {
  const shapes: Record<"plain" | "shadow", Record<string, z.ZodType>> = { plain: {}, shadow: {} };
  for (const name of CONTROL_NAMES) {
    const [member = "", shadowMember] = controlJsonPath(name).split(".");
    const { kind, help } = CONTROL_FIELDS[name];
    const schema = (kind === "metrics" ? metrics : valueSchema(name, anyText())).optional().describe(help);
    if (shadowMember === undefined) shapes.plain[member] = schema;
    else shapes.shadow[shadowMember] = schema;
  }
  return shapes;
}

/** Returns the schema of a setting's value; `model` is that of the name of a model. */
function valueSchema(name: ControlName, model: z.ZodType<string>): z.ZodType {
  const field = controlField(name);
  switch (field.kind) {
    case "choice": {
      const words = Object.keys(field.words);
      return z.enum(words, { error: `must be ${words.join(", ")}` });
    }
    case "number":
      return upTo(field.most, field.unit === "usd" ? "an amount in USD:" : "a number");
    case "text": {
      const error = `must be a text of 1 to ${field.most} characters`;
      return z.string({ error }).regex(/\S/, { error }).max(field.most, { error });
    }
    case "models":
      return z.array(model, { error: "must be a list of names of models" });
    default:
      return model;
  }
}
