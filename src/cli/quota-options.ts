import { type Command, InvalidArgumentError, Option } from "commander";
import { endUserProblem, writtenTagProblem } from "../quotas/owner-name.ts";
import { limitProblem, MAX_MODELS, parseLimit, QUOTA_FIELDS, type QuotaField } from "../quotas/quota-fields.ts";
import type { QuotaChange } from "../quotas/quota-settings.ts";

/** The value that takes a limit away; commander has no null. */
const NONE = "none";

const EACH_KINDS = ["project", "key", "end-user"] as const;

/** The owner of a quota as it is named on the command line. */
export interface OwnerOptions {
  readonly installation?: true;
  /** Id or name. */
  readonly project?: string;
  /** Public id. */
  readonly key?: string;
  readonly endUser?: string;
  readonly tag?: string;
  readonly each?: (typeof EACH_KINDS)[number];
}

/** The values of the options of limits, by their names on the command line. */
export type LimitOptions = Readonly<Record<string, unknown>>;

/** Adds the options that set limits. */
export function addLimitOptions(command: Command): Command {
  for (const { option, label, unit } of Object.values(QUOTA_FIELDS)) {
    const readLimit = (text: string) => parseOption(unit, text);
    command.addOption(new Option(`--${option} <limit>`, `${label}; ${NONE} for no limit`).argParser(readLimit));
  }
  const models = "names of the models that may be called, with commas between; none for all of them";
  return command.addOption(new Option("--models <names>", models).argParser(parseModels));
}

/** Adds the options that name the owner of a quota. */
export function addOwnerOptions(command: Command): Command {
  return command
    .option("--installation", "all calls of the installation")
    .option("--project <project>", "id or name of a project; with --end-user and --tag the default one if absent")
    .option("--key <id>", "public id of a key")
    .addOption(new Option("--end-user <id>", "an end user of the project").argParser(readEndUser))
    .addOption(new Option("--tag <tag>", "calls of the project with a tag, such as team=search").argParser(readTag))
    .addOption(
      new Option("--each <kind>", "each that has no limit by name, of the project, or of all if absent").choices(
        EACH_KINDS,
      ),
    );
}

/** Returns the change that the options of limits ask for; undefined where there are none. */
export function readChange(options: LimitOptions): QuotaChange | undefined {
  const limits = Object.values(QUOTA_FIELDS).flatMap(({ rule, option }) => {
    const value = options[attributeOf(option)];
    return value === undefined ? [] : [[rule, value === NONE ? null : value]];
  });
  const { models } = options;
  const change = {
    ...Object.fromEntries(limits),
    ...(models !== undefined && { models: models === NONE ? null : models }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** Returns the name that commander gives to the value of an option. */
function attributeOf(option: string): string {
  return new Option(`--${option}`).attributeName();
}

function parseOption(unit: QuotaField["unit"], text: string): number | typeof NONE {
  if (text === NONE) return NONE;
  const limit = parseLimit(unit, text);
  if (limit === undefined) throw new InvalidArgumentError(`${limitProblem(unit)}, or ${NONE}`);
  return limit;
}

function parseModels(text: string): readonly string[] | typeof NONE {
  if (text === NONE) return NONE;
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("") || names.length > MAX_MODELS) {
    throw new InvalidArgumentError(`must be 1 to ${MAX_MODELS} names with commas between, or ${NONE}`);
  }
  return [...new Set(names)];
}

/** Reads the id of an end user. */
export function readEndUser(text: string): string {
  return check(text, endUserProblem(text));
}

function readTag(text: string): string {
  return check(text, writtenTagProblem(text));
}

function check(text: string, problem: string | undefined): string {
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return text;
}
