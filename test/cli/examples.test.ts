import { Command as CommanderCommand } from "commander";
import { describe, expect, it } from "vitest";
import { buildRoot } from "../../src/cli/build-command.ts";
import type { Command, RootCommand } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";

const roots = await Promise.all(
  Object.entries(COMMANDS).map(async ([name, { load }]) => ({ name, root: await load() })),
);
const cases = roots.flatMap(({ name, root }) =>
  Object.values(commandsOf(root)).flatMap(({ examples = [] }) => examples.map((example) => ({ name, root, example }))),
);

function commandsOf(root: RootCommand): Readonly<Record<string, Command>> {
  return "commands" in root ? root.commands : { "": { ...root, summary: "" } };
}

/** Returns commands that read their values, and do nothing. */
function readOnly(root: RootCommand, run: () => void): RootCommand {
  if (!("commands" in root)) return { ...root, run };
  const commands = Object.entries(root.commands).map(([name, command]) => [name, { ...command, run }] as const);
  return { ...root, commands: Object.fromEntries(commands) };
}

function wordsOf(example: string): string[] {
  const [command = ""] = example.split(" > ");
  return [...command.matchAll(/'([^']*)'|\S+/g)].map(([whole, quoted]) => quoted ?? whole).slice(1);
}

describe("the examples of help", () => {
  it.each(cases)("$example", async ({ name, root, example }) => {
    let hasRun = false;
    const program = new CommanderCommand("attune").exitOverride();
    buildRoot(
      program.command(name),
      readOnly(root, () => (hasRun = true)),
    );
    await program.parseAsync(wordsOf(example), { from: "user" });
    expect(hasRun).toBe(true);
  });
});
