import type { Command } from "commander";
import { JsonOption } from "./json-option.ts";
import { addRemoteOption, REMOTE_HELP } from "./remote-option.ts";
import type { ApplyOptions } from "./run-apply.ts";
import type { ExportOptions } from "./run-export.ts";

const HELP = `
The command shows what it would change, and asks on a terminal. Elsewhere it changes something with --yes alone, and
without it ends with 2 where there is something to change. What the file does not have stays, unless --prune removes
it, which takes only what an earlier file created, changed or adopted. See docs/projects-as-code.md.
${REMOTE_HELP}`;

/** Adds `attune apply` and `attune export`. */
export function addApplyCommands(program: Command): void {
  addRemoteOption(program.command("apply"))
    .description("make projects, keys, members and limits as a file has them")
    .option("-f, --file <file>", "file of projects; - is standard input", "projects.yaml")
    .option("--yes", "apply without a question")
    .option("--prune", "remove what is managed and not in the file")
    .option("--secrets-out <file>", "new file, which only you can read, for the secrets of new keys and invitations")
    .option("--list", "list what is managed, and change nothing; with --json kind, project, name, since")
    .addOption(new JsonOption("object", ["applied", "changes", "absent", "kept"]))
    .addHelpText("after", HELP)
    .action(async (options: ApplyOptions) => {
      const { runApply, runManagedList } = await import("./run-apply.ts");
      await (options.list ? runManagedList(options) : runApply(options));
    });
  addRemoteOption(program.command("export"))
    .description("write projects, keys, members and limits as a file for 'attune apply', without secrets")
    .option("--project <project>", "id or name of the project; all of them if absent")
    .option("--hashes", "also ids and hashes of keys, with which the same keys work on another database")
    .option("--out <file>", "write it to a new file that only you can read")
    .addHelpText("after", REMOTE_HELP)
    .action(async (options: ExportOptions) => (await import("./run-export.ts")).runExport(options));
}
