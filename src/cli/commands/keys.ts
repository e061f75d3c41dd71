import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Key } from "../../../gen/attune/admin/v1/key_pb.ts";
import { describeQuota, toWrittenQuota } from "../../quotas/describe-quota.ts";
import { KEY_PERMISSIONS } from "../../vocabulary/key-permissions.ts";
import { type AdminClient, defineAdminCommand, readPages } from "../admin-client.ts";
import { type CommandGroup, choices, option, UsageError, withPreset } from "../command.ts";
import { findKeyId, KEY } from "../find-key.ts";
import { describeKeyState, NAME, readDays } from "../key-options.ts";
import { LIMIT_OPTIONS, listChangedPaths, readChange, toLimits, toSettings } from "../limit-options.ts";
import { json, PROJECT, PROJECT_OR_ALL, readNumber, SERVICE_HELP } from "../options.ts";
import { fail, print, printJsonList, printTable, tell } from "../output.ts";

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;

const MEMBERS = [
  ...["id", "projectId", "name", "permissions", "tags", "limits", "paused"],
  ...["createdAt", "expiresAt", "revokedAt", "lastUsedAt"],
];

/** `attune keys`. */
export const keys: CommandGroup = {
  help: SERVICE_HELP,
  commands: {
    create: defineAdminCommand({
      summary: "create a key and show it once",
      options: {
        name: { ...NAME, summary: "what the key is for; unique among the project's working keys" },
        expires: option("days", "days until it expires", readDays),
        ...PROJECT,
        allow: choices(
          "permission",
          "permissions besides calling models, sending feedback and reading",
          KEY_PERMISSIONS,
        ),
        tag: option("name=value", "tag of all its calls; several times", readTag),
        ...LIMIT_OPTIONS,
      },
      examples: ["attune keys create --name search --expires 90 --usd-month 100 --tag team=search"],
      async run(admin, { name, expires, project, allow = [], tag = {}, ...options }) {
        const limits = toLimits(readChange(options) ?? {});
        const lifetime = expires === undefined ? {} : { lifetime: toDuration(expires * DAY_SECONDS) };
        const key = { name: name ?? "", permissions: [...allow], tags: { ...tag }, limits };
        const { secret, created, key: made } = await admin.createKey({ project, key, ...lifetime });
        if (!created) {
          fail(`there is a key '${name}' already: 'attune keys rotate ${made?.id}' gives it a new secret`);
        }
        showSecret(secret);
      },
    }),

    update: defineAdminCommand({
      summary: "change a key; omitted settings keep their values",
      arguments: { key: KEY },
      options: {
        name: { ...NAME, summary: "what the key is for" },
        expires: option("days", "days from now until it expires; none for no expiry", readDaysOrNone),
        allow: choices(
          "permission",
          "all permissions besides calling models, sending feedback and reading; 'none' removes them",
          [...KEY_PERMISSIONS, "none"],
        ),
        tag: option("name=value", "all tags of its calls, several times; none for no tags", readTagOrNone),
        ...LIMIT_OPTIONS,
      },
      async run(admin, { key: text, name, expires, allow, tag, ...options }) {
        const change = readChange(options);
        const paths = [
          ...(name === undefined ? [] : ["name"]),
          ...(allow === undefined ? [] : ["permissions"]),
          ...(tag === undefined ? [] : ["tags"]),
          ...(expires === undefined ? [] : ["expires_at"]),
          ...listChangedPaths(change),
        ];
        if (paths.length === 0) fail("there is nothing to change: give a limit, such as --rpm 60, or another option");
        const ends = typeof expires === "number" ? new Date(Date.now() + expires * DAY_SECONDS * 1000) : undefined;
        const permissions = allow?.filter((permission) => permission !== "none");
        const update = {
          ...(name !== undefined && { name }),
          ...(permissions !== undefined && { permissions }),
          ...(tag !== undefined && tag !== "none" && { tags: { ...tag } }),
          ...(ends !== undefined && { expiresAt: timestampFromDate(ends) }),
          ...(change !== undefined && { limits: toLimits(change) }),
        };
        const { key } = await admin.updateKey({ id: await findKeyId(admin, text), update, updateMask: { paths } });
        if (key !== undefined) print(`key ${key.id}: ${describeLimits(key)}`);
      },
    }),

    rotate: defineAdminCommand({
      summary: "give a key a new secret and show it once; the old one keeps working for a while",
      arguments: { key: KEY },
      options: {
        overlap: withPreset(option("hours", "hours that the old secret keeps working; 0 ends it now", readNumber), 24),
      },
      async run(admin, { key, overlap }) {
        const id = await findKeyId(admin, key);
        const { secret } = await admin.rotateKey({ id, overlap: toDuration(overlap * HOUR_SECONDS) });
        showSecret(secret);
      },
    }),

    list: defineAdminCommand({
      summary: "list keys by their public id",
      options: { ...PROJECT_OR_ALL, ...json("list", MEMBERS) },
      async run(admin, { project, json: isJson }) {
        const found = await readPages("keys", (page) => admin.listKeys({ project: project ?? "", ...page }));
        if (isJson) return printJsonList(found.toReversed().map(toJson));
        const headings = ["PUBLIC ID", "NAME", "PERMISSIONS", "TAGS", "LIMITS", "STATE", "CREATED", "LAST USED"];
        return printTable(headings, found.toReversed().map(toRow));
      },
    }),

    pause: defineAdminCommand({
      summary: "pause a key; its calls are refused within a second, until it is resumed",
      ...pausing(true),
    }),

    resume: defineAdminCommand({ summary: "resume a paused key; it works again within a second", ...pausing(false) }),

    revoke: defineAdminCommand({
      summary: "revoke a key; it stops working within a second",
      arguments: { key: KEY },
      async run(admin, { key: text }) {
        const id = await findKeyId(admin, text);
        const { key } = await admin.revokeKey({ id });
        print(`revoked ${id} (${key?.name})`);
      },
    }),
  },
};

function pausing(paused: boolean) {
  return {
    arguments: { key: KEY },
    async run(admin: AdminClient, { key: text }: { readonly key: string }): Promise<void> {
      const id = await findKeyId(admin, text);
      const { key } = await admin.updateKey({ id, update: { paused }, updateMask: { paths: ["paused"] } });
      print(`${paused ? "paused" : "resumed"} ${id} (${key?.name})`);
    },
  };
}

function showSecret(secret: string): void {
  print(secret);
  tell("Save it: it isn't shown again.");
}

/** Most seconds that a duration can have; the operation refuses far fewer, and names its field. */
const MOST_SECONDS = 315_576_000_000;

function toDuration(seconds: number) {
  return { seconds: BigInt(Math.round(Math.max(-MOST_SECONDS, Math.min(seconds, MOST_SECONDS)))), nanos: 0 };
}

function describeLimits({ limits }: Key): string {
  return describeQuota(toSettings(limits)) || "no limits";
}

function toJson(key: Key) {
  const { id, projectId, name, permissions, tags, limits, paused } = key;
  return {
    id,
    projectId,
    name,
    permissions,
    tags,
    limits: toWrittenQuota(toSettings(limits)),
    paused,
    createdAt: toDate(key.createdAt),
    expiresAt: toDate(key.expiresAt),
    revokedAt: toDate(key.revokedAt),
    lastUsedAt: toDate(key.lastUsedAt),
  };
}

function toRow(key: Key): readonly string[] {
  const tags = Object.entries(key.tags).map(([name, value]) => `${name}=${value}`);
  return [
    key.id,
    key.name,
    key.permissions.join(", ") || "-",
    tags.join(", ") || "-",
    describeLimits(key).replace("no limits", "-"),
    describeKeyState({ ...key, revokedAt: toDate(key.revokedAt), expiresAt: toDate(key.expiresAt) }),
    toDate(key.createdAt)?.toISOString() ?? "",
    toDate(key.lastUsedAt)?.toISOString() ?? "never",
  ];
}

function toDate(time: Timestamp | undefined): Date | null {
  return time === undefined ? null : timestampDate(time);
}

type Tags = Readonly<Record<string, string>>;

function readTag(text: string, before: Tags = {}): Tags {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError("must be a name and a value, such as team=search");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

function readTagOrNone(text: string, before: Tags | "none" = {}): Tags | "none" {
  return text === "none" || before === "none" ? "none" : readTag(text, before);
}

function readDaysOrNone(text: string): number | "none" {
  return text === "none" ? text : readDays(text);
}
