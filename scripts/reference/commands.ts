import type { Argument, Command, Option } from "commander";
import { COMMANDS } from "../../src/cli/commands.ts";
import { createWholeProgram } from "../../src/cli/program.ts";
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

/** Examples of commands, by their paths. */
type Examples = ReadonlyMap<string, readonly string[]>;

function section(command: Command, names: readonly string[], examples: Examples): string[] {
  const path = [...names, command.name()];
  const own = command.commands.flatMap((each) => section(each, path, examples));
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
      fenceExamples(examples.get(path.join(" ")) ?? []),
      table(["argument or option", "default", "meaning"], rows),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
  ];
}

function fenceExamples(examples: readonly string[]): string {
  return examples.length === 0 ? "" : `Example:\n\n${fence("sh", examples.join("\n"))}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

async function readExamples(): Promise<Examples> {
  const examples = new Map<string, readonly string[]>();
  for (const [name, { load }] of Object.entries(COMMANDS)) {
    const root = await load();
    if (!("commands" in root)) examples.set(name, root.examples ?? []);
    else {
      for (const [child, command] of Object.entries(root.commands)) {
        examples.set(`${name} ${child}`, command.examples ?? []);
      }
    }
  }
  return examples;
}

/** Returns the page of commands. */
export async function commandsPage(): Promise<string> {
  const examples = await readExamples();
  const { commands } = await createWholeProgram();
  const sections = commands.flatMap((command) => section(command, [], examples));
  return page("Commands", "`src/cli`", [
    "All commands with their options, as `attune COMMAND --help` prints them. In a clone, `attune` is " +
      "`npm run -s attune --`.",
    ...sections,
  ]);
}
