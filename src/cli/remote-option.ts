import type { Command } from "commander";

/** The help of commands that work on a database or with a service. */
export const REMOTE_HELP = `
With --url the commands work with a service that runs, by the admin key in ATTUNE_ADMIN_KEY; without it, on the database
of the configuration.`;

/** Adds the option that names a service that runs. */
export function addRemoteOption(command: Command): Command {
  return command.option("--url <url>", "address of a service that runs; the admin key is read from ATTUNE_ADMIN_KEY");
}
