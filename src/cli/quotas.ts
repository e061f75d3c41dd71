import type { Command } from "commander";
import type { RemoteOptions } from "./admin-client.ts";
import { addJsonList } from "./json-option.ts";
import { addLimitOptions, addOwnerOptions, type LimitOptions, type OwnerOptions } from "./quota-options.ts";
import { addRemoteOption, REMOTE_HELP } from "./remote-option.ts";

const HELP = `
A call counts for the installation, its project, its key, its end user and its tags; the strictest limit decides.
Limits by name go before those of each, and these before attune.yaml. They take effect within a second in every process.
See docs/quotas.md.`;

/** Adds `attune quotas list|set|clear`. */
export function addQuotasCommand(program: Command): void {
  const quotas = program
    .command("quotas")
    .description("show and set what calls may take: requests, tokens, USD and models")
    .addHelpText("after", HELP + REMOTE_HELP);
  const list = quotas
    .command("list")
    .description("list the quotas that are set")
    .option("--project <project>", "id or name of the project; all of them if absent");
  addRemoteOption(addJsonList(list, ["kind", "projectId", "name", "limits"])).action(
    async (options: RemoteOptions & { project?: string; json?: true }) =>
      (await import("./run-quotas.ts")).runQuotasList(options),
  );
  const set = quotas.command("set").description("set limits; limits that are not named stay as they are");
  addRemoteOption(addLimitOptions(addOwnerOptions(set))).action(
    async (options: OwnerOptions & LimitOptions & RemoteOptions) =>
      (await import("./run-quotas.ts")).runQuotasSet(options, options),
  );
  addRemoteOption(addOwnerOptions(quotas.command("clear").description("take all limits away"))).action(
    async (options: OwnerOptions & RemoteOptions) => (await import("./run-quotas.ts")).runQuotasClear(options),
  );
}
