import { Command as CommanderCommand } from "commander";
import { readVersion } from "../lib/version.ts";
import { addHelp, buildRoot } from "./build-command.ts";
import { COMMAND_GROUPS, COMMANDS } from "./commands.ts";

const HELP = `
Configuration: attune.yaml, or the file that ATTUNE_CONFIG names. ATTUNE_HOST, ATTUNE_PORT, ATTUNE_ADMIN_PORT,
ATTUNE_DATABASE_URL and ATTUNE_BOOTSTRAP_KEY override it. See docs/configuration.md.`;

const EXAMPLES = [
  "attune serve",
  "attune keys create --name ci",
  "attune feedback helpful=true --id ANSWER_ID",
  "attune export requests --month 2026-11 > requests.csv",
];

/** Creates the command line. It loads the command that it is asked for, and no other. */
export function createProgram(): CommanderCommand {
  const program = new CommanderCommand("attune")
    .description("LLM inference and feedback service")
    .version(readVersion());
  addHelp(program, HELP, EXAMPLES);
  for (const [group, commands] of Object.entries(COMMAND_GROUPS)) {
    for (const [name, { summary }] of Object.entries(commands)) {
      program.command(name).description(summary).helpGroup(`${group}:`);
    }
  }
  nameHelp(program, "attune");
  program.commandsGroup("Help:").helpCommand("help [command]", "display help for command");
  return program.hook("preSubcommand", async (_, chosen) => await load(chosen));
}

/** Creates the command line with all commands loaded, for those who describe it. */
export async function createWholeProgram(): Promise<CommanderCommand> {
  const program = createProgram();
  for (const command of program.commands) await load(command);
  return program;
}

async function load(built: CommanderCommand): Promise<void> {
  const command = COMMANDS[built.name()];
  if (command === undefined) return;
  buildRoot(built, await command.load());
  nameHelp(built, `attune ${built.name()}`);
}

/** Has each command name its own help where it is called wrongly. */
function nameHelp(command: CommanderCommand, path: string): void {
  command.showHelpAfterError(`('${path} --help' has details)`);
  for (const child of command.commands) nameHelp(child, `${path} ${child.name()}`);
}
