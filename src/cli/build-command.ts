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

/** Builds the commands of a name for the parser. */
export function buildRoot(built: CommanderCommand, root: RootCommand): void {
  if (!("commands" in root)) {
    buildCommand(built, root);
    return;
  }
  if (root.help !== undefined) built.addHelpText("after", root.help);
  for (const [name, command] of Object.entries(root.commands)) {
    const isDefault = name === root.standard;
    buildCommand(built.command(name, { isDefault }).description(command.summary), command);
  }
}

function buildCommand(built: CommanderCommand, command: Omit<Command, "summary">): void {
  const { arguments: positional = {}, options = {}, help, examples } = command;
  for (const [name, parameter] of Object.entries(positional)) built.addArgument(toArgument(name, parameter));
  for (const [name, parameter] of Object.entries(options)) built.addOption(toOption(name, parameter));
  if (help !== undefined) built.addHelpText("after", help);
  if (examples !== undefined) built.addHelpText("after", ["\nExamples:", ...examples].join("\n  "));
  built.action(async () => {
    const values = { ...readFlags(options), ...readArguments(built, positional), ...built.opts() };
    const mistake = command.findMistake?.(values);
    if (mistake !== undefined) built.error(`error: ${mistake}`);
    await command.run(values);
  });
}

function readFlags(options: Parameters): Readonly<Record<string, false>> {
  const flags = Object.entries(options).filter(([, { value, isNegation }]) => value === undefined && !isNegation);
  return Object.fromEntries(flags.map(([name]) => [name, false]));
}

function readArguments(built: CommanderCommand, positional: Parameters): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(positional).map((name, at) => [name, built.processedArgs[at]]));
}

function toArgument(name: string, parameter: Parameter<unknown>): Argument {
  const { value = toWrittenName(name), summary, choices, preset, isRequired, isMany } = parameter;
  const shown = `${value}${isMany ? "..." : ""}`;
  const built = new Argument(isRequired ? `<${shown}>` : `[${shown}]`, summary);
  if (choices !== undefined) built.choices(choices);
  if (parameter.read !== undefined) built.argParser(toReader(parameter));
  if (preset !== undefined) built.default(preset);
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
  if (preset !== undefined) built.default(preset);
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
