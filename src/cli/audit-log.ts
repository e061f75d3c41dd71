import type { Command } from "commander";
import type { AuditLogOptions } from "./audit-log-options.ts";
import { JsonOption } from "./json-option.ts";
import { readLimit } from "./read-limit.ts";
import { readTime } from "./read-time.ts";
import { addRemoteOption } from "./remote-option.ts";

const ENTRY_MEMBERS = [
  ...["sequence", "at", "actor", "via", "address", "requestId", "projectId", "action", "target"],
  ...["before", "after", "hash"],
];

const HELP = "\n--json prints all entries, the oldest first; --limit is of the table.";

/** Adds `attune audit-log`. */
export function addAuditLogCommand(program: Command): void {
  addRemoteOption(program.command("audit-log"))
    .description("show who changed what, or check that nothing of it was changed since")
    .option("--from <time>", "beginning, such as 2027-01-31 or 2027-01-31T12:00:00Z", readTime)
    .option("--to <time>", "end", readTime)
    .option("--project <project>", "id or name of a project; all changes if absent")
    .option("--actor <actor>", "id or name of who changed it, such as an e-mail address")
    .option("--action <action>", "an action such as keys.create, or an area such as keys")
    .option("--limit <count>", "most entries that are shown, the latest", readLimit, 100)
    .addOption(new JsonOption("lines", ENTRY_MEMBERS))
    .option("--verify", "check the hashes of all entries, and print the latest; exits with 1 where they do not fit")
    .addHelpText("after", HELP)
    .action(async (options: AuditLogOptions) => (await import("./run-audit-log.ts")).runAuditLog(options));
}
