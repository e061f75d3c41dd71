import { Command as CommanderCommand } from "commander";
import { expect, it } from "vitest";
import { buildRoot } from "../../src/cli/build-command.ts";
import { defineRootCommand, flag, negation } from "../../src/cli/command.ts";

async function parse(args: readonly string[]): Promise<unknown> {
  let read: unknown;
  const options = { wait: negation("return at once"), dry: flag("change nothing") };
  const root = defineRootCommand({
    options,
    run(values) {
      read = values;
    },
  });
  const program = new CommanderCommand("attune");
  program.command("go");
  // As the command line loads its commands: while it parses.
  program.hook("preSubcommand", (_, chosen) => buildRoot(chosen, root));
  await program.parseAsync(["go", ...args], { from: "user" });
  return read;
}

it("reads flags and negations of a command that is built while the command line is parsed", async () => {
  expect(await parse([])).toEqual({ wait: true, dry: false });
  expect(await parse(["--no-wait", "--dry"])).toEqual({ wait: false, dry: true });
});
