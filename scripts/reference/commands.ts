import type { Argument, Command, Option } from "commander";
import { createProgram } from "../../src/cli/program.ts";
import { code, fence, page, table } from "./markdown.ts";

function describeOption({ flags, description, defaultValue, argChoices, mandatory }: Option): string[] {
  const choices = argChoices === undefined ? "" : `: ${argChoices.join(", ")}`;
  const preset = typeof defaultValue !== "string" && typeof defaultValue !== "number" ? "" : code(String(defaultValue));
  return [code(flags), mandatory ? "required" : preset, `${description}${choices}`];
}

function describeArgument(argument: Argument): string[] {
  const name = argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
  return [code(name), argument.required ? "required" : "", argument.description];
}

function section(command: Command, names: readonly string[]): string[] {
  const path = [...names, command.name()];
  const own = command.commands.flatMap((each) => section(each, path));
  if (command.commands.length > 0) return own;
  const rows = [
    ...command.registeredArguments.map(describeArgument),
    ...command.options.filter(({ hidden }) => !hidden).map(describeOption),
  ];
  const usage = `attune ${path.join(" ")} ${command.usage()}`.trim();
  return [
    [
      `## attune ${path.join(" ")}`,
      sentence(command.description()),
      fence("sh", usage),
      table(["argument or option", "default", "meaning"], rows),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
  ];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Returns the page of commands. */
export function commandsPage(): string {
  const sections = createProgram().commands.flatMap((command) => section(command, []));
  return page("Commands", "`src/cli`", ["`attune COMMAND --help` prints the same.", ...sections]);
}
