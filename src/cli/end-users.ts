import type { Command } from "commander";
import type { RemoteOptions } from "./admin-client.ts";
import { addJsonList } from "./json-option.ts";
import { addLimitOptions, type LimitOptions, readEndUser } from "./quota-options.ts";
import { addRemoteOption } from "./remote-option.ts";

/** Adds `attune end-users list|update|export|delete`. */
export function addEndUsersCommand(program: Command): void {
  const endUsers = program.command("end-users").description("manage the limits and the data of end users");
  const list = endUsers
    .command("list")
    .description("list the end users that have limits by name")
    .option("--project <project>", "id or name of the project; all of them if absent");
  addRemoteOption(addJsonList(list, ["kind", "projectId", "name", "limits"])).action(
    async (options: RemoteOptions & { project?: string; json?: true }) =>
      (await import("./run-quotas.ts")).runQuotasList({ ...options, kind: "endUser" }),
  );
  const update = endUsers
    .command("update")
    .description("set limits of an end user; limits that are not named stay as they are")
    .argument("<id>", "id of the end user, as calls have it", readEndUser)
    .option("--project <project>", "id or name of the project; the default one if absent");
  addRemoteOption(addLimitOptions(update)).action(
    async (endUser: string, { project, url, ...limits }: LimitOptions & RemoteOptions & { project?: string }) =>
      (await import("./run-quotas.ts")).runQuotasSet(
        { endUser, ...(project !== undefined && { project }), ...(url !== undefined && { url }) },
        limits,
      ),
  );
  const addData = (name: string, description: string) =>
    addRemoteOption(
      endUsers
        .command(name)
        .description(description)
        .argument("<id>", "id of the end user, as calls have it", readEndUser)
        .option("--project <project>", "id or name of the project; the default one if absent"),
    );
  addData("export", "print all that is known of an end user, as JSON lines")
    .option("--out <file>", "write it to a new file that only you can read")
    .action(async (id: string, options: RemoteOptions & { project?: string; out?: string }) =>
      (await import("./run-end-users.ts")).runEndUsersExport(id, options),
    );
  addData("delete", "delete all that the calls of an end user left: records, texts, feedback and conversations")
    .option("--confirm", "delete it: it cannot be undone")
    .action(async (id: string, options: RemoteOptions & { project?: string; confirm?: true }) =>
      (await import("./run-end-users.ts")).runEndUsersDelete(id, options),
    );
}
