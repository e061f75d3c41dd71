import { Argument, type Command as CommanderCommand, InvalidArgumentError, Option } from "commander";
import {
  type Command,
  type JsonForm,
  type Parameter,
  type Parameters,
  type RootCommand,
  toWrittenName,
  UsageError,
} from "./command.ts";

const FORMS: Record<JsonForm["form"], string> = {
  list: "a list in data, each with",
  object: "an object with",
  lines: "a line for each with",
};

/** Returns what `--json` of a form says of itself. */
export function describeJson({ form, members }: JsonForm): string {
  return `print JSON: ${FORMS[form]} ${members.join(", ")}`;
}

/** Widest line of help: wider ones are hard to read. */
const MOST_COLUMNS = 100;

/** Adds texts below the options, in paragraphs as wide as the rest of the help, and examples below them. */
export function addHelp(built: CommanderCommand, text = "", examples: readonly string[] = []): void {
  built.configureOutput({
    getOutHelpWidth: () => helpWidth(process.stdout),
    getErrHelpWidth: () => helpWidth(process.stderr),
  });
  if (text !== "") {
    built.addHelpText("after", ({ error }) => {
      const width = helpWidth(error ? process.stderr : process.stdout);
      const paragraphs = text
        .trim()
        .split(/\n{2,}/)
        .map((paragraph) => paragraph.replaceAll("\n", " "));
      return `\n${paragraphs.map((paragraph) => built.createHelp().boxWrap(paragraph, width)).join("\n\n")}`;
    });
  }
  if (examples.length > 0) built.addHelpText("after", ["\nExamples:", ...examples].join("\n  "));
}

function helpWidth({ columns = MOST_COLUMNS }: { readonly columns?: number }): number {
  return Math.min(columns, MOST_COLUMNS);
}

/** Builds the commands of a name for the parser. */
export function buildRoot(built: CommanderCommand, root: RootCommand): void {
  if (!("commands" in root)) {
    buildCommand(built, root);
    return;
  }
  addHelp(built, root.help);
  for (const [name, command] of Object.entries(root.commands)) {
    const isDefault = name === root.standard;
    buildCommand(built.command(name, { isDefault }).description(command.summary), command);
  }
}

function buildCommand(built: CommanderCommand, command: Omit<Command, "summary">): void {
  const { arguments: positional = {}, options = {}, help, examples } = command;
  for (const [name, parameter] of Object.entries(positional)) built.addArgument(toArgument(name, parameter));
  for (const [name, parameter] of Object.entries(options)) built.addOption(toOption(name, parameter));
  addHelp(built, help, examples);
  built.allowExcessArguments();
  built.action(async () => {
    checkCount(built, Object.values(positional));
    const values = {
      ...readFlags(options),
      ...readHiddenPresets(options),
      ...readArguments(built, positional),
      ...built.opts(),
    };
    const mistake = command.findMistake?.(values);
    if (mistake !== undefined) built.error(`error: ${mistake}`);
    await command.run(values);
  });
}

/** Other groups have a `list`, which people type behind a command that lists by itself. */
function checkCount(built: CommanderCommand, positional: readonly Parameter<unknown>[]): void {
  const excess = positional.at(-1)?.isMany ? undefined : built.args[positional.length];
  if (excess !== undefined) built.error(`error: '${getPath(built)}' doesn't take '${excess}': leave it out`);
}

function getPath(command: CommanderCommand): string {
  return command.parent === null ? command.name() : `${getPath(command.parent)} ${command.name()}`;
}

/** A negation that is absent is true. The parser gives that to commands alone that are built before it begins. */
function readFlags(options: Parameters): Readonly<Record<string, boolean>> {
  const flags = Object.entries(options).filter(([, { value }]) => value === undefined);
  return Object.fromEntries(flags.map(([name, { isNegation = false }]) => [name, isNegation]));
}

/** Presets that the parser does not know, and help does not show. */
function readHiddenPresets(options: Parameters): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, option]) => (isPresetHidden(option) ? [[name, option.preset]] : [])),
  );
}

/** Empty ones would be shown as `[]` and `{}`. */
function isPresetHidden({ preset, isPresetInSummary = false }: Parameter<unknown>): boolean {
  if (preset === undefined || isPresetInSummary) return isPresetInSummary;
  return typeof preset === "object" && preset !== null && Object.keys(preset).length === 0;
}

function readArguments(built: CommanderCommand, positional: Parameters): Readonly<Record<string, unknown>> {
  const given = built.processedArgs;
  return Object.fromEntries(Object.entries(positional).map(([name, { preset }], at) => [name, given[at] ?? preset]));
}

function toArgument(name: string, parameter: Parameter<unknown>): Argument {
  const { value = toWrittenName(name), summary, choices, preset, isRequired, isMany } = parameter;
  const shown = `${value}${isMany ? "..." : ""}`;
  const built = new Argument(isRequired ? `<${shown}>` : `[${shown}]`, summary);
  if (choices !== undefined) built.choices(choices);
  if (parameter.read !== undefined) built.argParser(toReader(parameter));
  if (preset !== undefined && !isPresetHidden(parameter)) built.default(preset);
  return built;
}

function toOption(name: string, parameter: Parameter<unknown>): Option {
  const { value, summary, short, choices, preset, isRequired, isMany, isNegation, conflicts, env, json } = parameter;
  const written = `--${isNegation ? "no-" : ""}${toWrittenName(name)}`;
  const flags = `${short === undefined ? "" : `-${short}, `}${written}`;
  const description = json === undefined ? summary : describeJson(json);
  const built = new Option(value === undefined ? flags : `${flags} <${value}${isMany ? "..." : ""}>`, description);
  if (choices !== undefined) built.choices(choices);
  if (parameter.read !== undefined) built.argParser(toReader(parameter));
  if (preset !== undefined && !isPresetHidden(parameter)) built.default(preset);
  if (env !== undefined) built.env(env);
  if (conflicts !== undefined) built.conflicts([...conflicts]);
  return built.makeOptionMandatory(isRequired === true);
}

function toReader(parameter: Parameter<unknown>): (text: string, before: unknown) => unknown {
  return (text, before) => {
    try {
      return parameter.read?.(text, before);
    } catch (thrown) {
      if (thrown instanceof UsageError) throw new InvalidArgumentError(thrown.message);
      throw thrown;
    }
  };
}
