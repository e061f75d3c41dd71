import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { AdminKey } from "../../../gen/attune/admin/v1/admin_key_pb.ts";
import { ADMIN_SCOPES } from "../../vocabulary/administrator.ts";
import { defineAdminCommand, readPages, readProjects } from "../admin-client.ts";
import { argument, type CommandGroup, choices, option, required } from "../command.ts";
import { describeKeyState, NAME, readDays } from "../key-options.ts";
import { json, SERVICE_HELP } from "../options.ts";
import { print, printJsonList, printTable, tell } from "../output.ts";

const DAY_SECONDS = 86_400;

const HELP = `
An admin key is for the administrative service, over RPC, under /v1/admin and for commands with --url; it calls no
models. A scope that ends in :write includes the one that ends in :read. With --url, a key can't create keys with more
rights than its own. See docs/administration.md.
${SERVICE_HELP}`;

const MEMBERS = ["id", "name", "scopes", "projectId", "createdAt", "expiresAt", "revokedAt", "lastUsedAt"];

/** `attune admin-keys`. */
export const adminKeys: CommandGroup = {
  help: HELP,
  commands: {
    create: defineAdminCommand({
      summary: "create an admin key and show it once",
      options: {
        name: required(NAME),
        allow: required(choices("scope", "what it may see and change", ADMIN_SCOPES)),
        project: option("project", "id or name of its project; all projects if absent"),
        expires: option("days", "days until it expires", readDays),
      },
      examples: ["attune admin-keys create --name ci --allow keys:write usage:read --expires 90"],
      async run(admin, { name, allow, project = "", expires }) {
        const lifetime = expires && { seconds: BigInt(Math.round(expires * DAY_SECONDS)), nanos: 0 };
        const request = { adminKey: { name, scopes: [...allow] }, project, ...(lifetime && { lifetime }) };
        const { secret } = await admin.createAdminKey(request);
        print(secret);
        tell("Save it: it isn't shown again.");
      },
    }),

    list: defineAdminCommand({
      summary: "list admin keys by their public id",
      options: { ...json("list", MEMBERS) },
      async run(admin, { json: isJson }) {
        const keys = await readPages("adminKeys", (page) => admin.listAdminKeys(page));
        if (isJson) return printJsonList(keys.map(toJson));
        const isBound = keys.some(({ projectId }) => projectId !== "");
        const names = new Map((isBound ? await readProjects(admin) : []).map(({ id, name }) => [id, name]));
        const rows = keys.map((key) => [
          key.id,
          key.name,
          key.scopes.join(" "),
          key.projectId === "" ? "all" : (names.get(key.projectId) ?? key.projectId),
          describeKeyState({ revokedAt: toDate(key.revokedAt), expiresAt: toDate(key.expiresAt) }),
          toDate(key.createdAt)?.toISOString() ?? "",
          toDate(key.lastUsedAt)?.toISOString() ?? "never",
        ]);
        printTable(["PUBLIC ID", "NAME", "SCOPES", "PROJECT", "STATE", "CREATED", "LAST USED"], rows);
      },
    }),

    revoke: defineAdminCommand({
      summary: "revoke an admin key; it stops working immediately",
      arguments: {
        id: argument("public id of the key: the part between attadmin_ and the second underscore", toPublicId),
      },
      async run(admin, { id }) {
        const { adminKey } = await admin.revokeAdminKey({ id });
        print(`revoked ${id} (${adminKey?.name})`);
      },
    }),
  },
};

function toPublicId(id: string): string {
  return /^attadmin_([0-9a-z]{12})_/.exec(id)?.[1] ?? id;
}

function toJson({ id, name, scopes, projectId, ...times }: AdminKey) {
  const [createdAt, expiresAt] = [toDate(times.createdAt), toDate(times.expiresAt)];
  const [revokedAt, lastUsedAt] = [toDate(times.revokedAt), toDate(times.lastUsedAt)];
  return { id, name, scopes, projectId: projectId || null, createdAt, expiresAt, revokedAt, lastUsedAt };
}

function toDate(time: Timestamp | undefined): Date | null {
  return time === undefined ? null : timestampDate(time);
}
