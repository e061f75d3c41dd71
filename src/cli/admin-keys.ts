import { type Command, Option } from "commander";
import { ADMIN_SCOPES } from "../hub/administrator.ts";
import { addJsonList, type JsonOptions } from "./json-option.ts";
import type { AdminKeyOptions } from "./key-options.ts";
import { readDays, readName } from "./keys.ts";

const HELP = `
An admin key is for the administrative service, over RPC, under /v1/admin and for commands with --url; it calls no
models. A scope that ends in :write includes the one that ends in :read. See docs/administration.md.`;

/** Adds `attune admin-keys create|list|revoke`. */
export function addAdminKeysCommand(program: Command): void {
  const keys = program
    .command("admin-keys")
    .description("manage the keys of the administrative service")
    .addHelpText("after", HELP);
  keys
    .command("create")
    .description("create an admin key and show it once")
    .requiredOption("-n, --name <name>", "what the key is for", readName)
    .addOption(
      new Option("--allow <scope...>", "what it may see and change").choices(ADMIN_SCOPES).makeOptionMandatory(),
    )
    .option("--project <project>", "id or name of the only project that it sees; all of them if absent")
    .option("--expires <days>", "days after which it stops working", readDays)
    .action(async (options: AdminKeyOptions) => (await import("./run-admin-keys.ts")).runAdminKeysCreate(options));
  addJsonList(keys.command("list").description("list admin keys by their public id"), [
    ...["id", "name", "scopes", "projectId", "createdAt", "expiresAt", "revokedAt", "lastUsedAt"],
  ]).action(async (options: JsonOptions) => (await import("./run-admin-keys.ts")).runAdminKeysList(options));
  keys
    .command("revoke")
    .description("revoke an admin key; it stops working at once")
    .argument("<id>", "public id of the key: the part between attadmin_ and the second underscore")
    .action(async (id: string) => (await import("./run-admin-keys.ts")).runAdminKeysRevoke(id));
}
