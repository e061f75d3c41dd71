import { Command } from "commander";
import { readVersion } from "../lib/version.ts";
import { addAdminKeysCommand } from "./admin-keys.ts";
import { addAlertsCommand } from "./alerts.ts";
import { addApplyCommands } from "./apply.ts";
import { addAuditCommand } from "./audit.ts";
import { addAuditLogCommand } from "./audit-log.ts";
import { addBackupCommand } from "./backup.ts";
import { addBuildCommand } from "./build.ts";
import { addCheckCommand } from "./check.ts";
import { addEndUsersCommand } from "./end-users.ts";
import { addFeedbackCommand } from "./feedback.ts";
import { addImportCommand } from "./import.ts";
import { addKeysCommand } from "./keys.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addModelsCommand } from "./models.ts";
import { addOpenApiCommand } from "./openapi.ts";
import { addOptimizationsCommand } from "./optimizations.ts";
import { addProjectsCommand } from "./projects.ts";
import { addQuotasCommand } from "./quotas.ts";
import { addReplayCommand } from "./replay.ts";
import { addRetentionCommand } from "./retention.ts";
import { addServeCommand } from "./serve.ts";
import { addUsageCommand } from "./usage.ts";
import { addUsersCommand } from "./users.ts";
import { addWorkloadsCommand } from "./workloads.ts";

/** Creates the command line. Each command loads what it works with when it runs: help and complaints come at once. */
export function createProgram(): Command {
  const program = new Command("attune")
    .description("LLM inference and feedback service")
    .version(readVersion())
    .addHelpText(
      "after",
      "\nConfiguration: attune.yaml, or the file that ATTUNE_CONFIG names; ATTUNE_HOST, ATTUNE_PORT,\n" +
        "ATTUNE_ADMIN_PORT, ATTUNE_DATABASE_URL and ATTUNE_BOOTSTRAP_KEY override it. See docs/configuration.md.",
    );
  const commands = [
    addServeCommand,
    addBuildCommand,
    addMigrateCommand,
    addBackupCommand,
    addKeysCommand,
    addAdminKeysCommand,
    addProjectsCommand,
    addEndUsersCommand,
    addQuotasCommand,
    addUsageCommand,
    addApplyCommands,
    addUsersCommand,
    addFeedbackCommand,
    addRetentionCommand,
    addWorkloadsCommand,
    addAlertsCommand,
    addAuditCommand,
    addAuditLogCommand,
    addOptimizationsCommand,
    addReplayCommand,
    addImportCommand,
    addModelsCommand,
    addOpenApiCommand,
    addCheckCommand,
  ];
  for (const add of commands) add(program);
  nameHelp(program, "attune");
  return program;
}

/** Has each command name its own help where it is called wrongly. */
function nameHelp(command: Command, path: string): void {
  command.showHelpAfterError(`('${path} --help' says more)`);
  for (const child of command.commands) nameHelp(child, `${path} ${child.name()}`);
}
