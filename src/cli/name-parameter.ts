import { toCamelCase, toSnakeCase } from "../lib/letter-case.ts";
import { QUOTA_FIELDS } from "../quotas/quota-fields.ts";
import { type Command, toWrittenName } from "./command.ts";

/** The parameters of a command. */
export type CommandParameters = Pick<Command, "arguments" | "options">;

/** Options and arguments by the fields of operations that they set, where these have another name. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(QUOTA_FIELDS).map(([name, { option }]) => [toSnakeCase(name), [toCamelCase(option, "-")]]),
  ),
  max_usd: ["usd"],
  max_calls: ["calls"],
  models: ["ask"],
  excluded_models: ["models"],
  pinned_model: ["answering"],
  share: ["shadow"],
  window_minutes: ["window"],
  tags: ["tag"],
  permissions: ["allow"],
  target: ["webhook", "slack", "email"],
  name: ["tag", "endUser", "id"],
  aliases: ["alias"],
  metrics: ["name"],
};

/**
 * Returns the name that a field of an operation has on the command line: `--usd` for `max_usd`, `<name>` for
 * `project.name`. A field that no parameter of the command sets keeps its name.
 */
export function nameParameter(
  place: string,
  { arguments: positional = {}, options = {} }: CommandParameters,
  values: Readonly<Record<string, unknown>>,
): string {
  const fields = place.split(/[.[\]]+/).filter((field) => field !== "");
  for (const field of fields.reverse()) {
    const others = (Object.hasOwn(NAMES, field) ? (NAMES[field] ?? []) : []).filter(
      (name) => values[name] !== undefined,
    );
    for (const name of [toCamelCase(field), ...others]) {
      if (Object.hasOwn(options, name)) return `--${toWrittenName(name)}`;
      if (Object.hasOwn(positional, name)) return `<${toWrittenName(name)}>`;
    }
  }
  return place;
}
