import { ADMIN_SCOPES } from "../../hub/administrator.ts";
import { createAdminKey, listAdminKeys, revokeAdminKey } from "../../store/admin-keys/admin-key-repository.ts";
import { listProjects } from "../../store/dashboard/projects.ts";
import { argument, type CommandGroup, choices, defineCommand, option, required } from "../command.ts";
import { findProject } from "../find-project.ts";
import { describeKeyState, NAME, readDays } from "../key-options.ts";
import { json } from "../options.ts";
import { fail, print, printJsonList, printTable, tell } from "../output.ts";
import { withStore } from "../with-config.ts";

const DAY_MS = 86_400_000;

const HELP = `
An admin key is for the administrative service, over RPC, under /v1/admin and for commands with --url; it calls no
models. A scope that ends in :write includes the one that ends in :read. See docs/administration.md.`;

const MEMBERS = ["id", "name", "scopes", "projectId", "createdAt", "expiresAt", "revokedAt", "lastUsedAt"];

/** `attune admin-keys`. */
export const adminKeys: CommandGroup = {
  help: HELP,
  commands: {
    create: defineCommand({
      summary: "create an admin key and show it once",
      options: {
        name: required(NAME),
        allow: required(choices("scope", "what it may see and change", ADMIN_SCOPES)),
        project: option("project", "id or name of the only project that it sees; all of them if absent"),
        expires: option("days", "days after which it stops working", readDays),
      },
      examples: ["attune admin-keys create --name ci --allow keys:write usage:read --expires 90"],
      async run({ name, allow, project, expires }) {
        await withStore(async (store) => {
          const projectId = project === undefined ? undefined : (await findProject(store, project)).id;
          const expiresAt = expires === undefined ? null : new Date(Date.now() + expires * DAY_MS);
          const { key } = await createAdminKey(store, { name, scopes: allow, projectId, expiresAt });
          print(key);
          tell("Keep it: it is not shown again.");
        });
      },
    }),

    list: defineCommand({
      summary: "list admin keys by their public id",
      options: json("list", MEMBERS),
      async run({ json: isJson }) {
        await withStore(async (store) => {
          const keys = await listAdminKeys(store);
          if (isJson) return printJsonList(keys.map(toJson));
          const names = new Map((await listProjects(store)).map(({ id, name }) => [id, name]));
          const rows = keys.map((key) => [
            key.publicId,
            key.name,
            key.scopes.join(" "),
            key.projectId === undefined ? "all" : (names.get(key.projectId) ?? key.projectId),
            describeKeyState(key),
            key.createdAt.toISOString(),
            key.lastUsedAt?.toISOString() ?? "never",
          ]);
          printTable(["PUBLIC ID", "NAME", "MAY", "PROJECT", "STATE", "CREATED", "LAST USED"], rows);
        });
      },
    }),

    revoke: defineCommand({
      summary: "revoke an admin key; it stops working immediately",
      arguments: {
        id: argument("public id of the key: the part between attadmin_ and the second underscore"),
      },
      async run({ id }) {
        await withStore(async (store) => {
          const publicId = /^attadmin_([0-9a-z]{12})_/.exec(id)?.[1] ?? id;
          const revoked = await revokeAdminKey(store, publicId);
          if (revoked === undefined) fail(`there is no admin key '${publicId}': 'attune admin-keys list' lists them`);
          print(`revoked ${revoked.publicId} (${revoked.name})`);
        });
      },
    }),
  },
};

function toJson(key: Awaited<ReturnType<typeof listAdminKeys>>[number]) {
  const { publicId: id, name, scopes, projectId = null, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
  return { id, name, scopes, projectId, createdAt, expiresAt, revokedAt, lastUsedAt };
}
