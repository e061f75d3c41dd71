import { defineEntity, p } from "@mikro-orm/core";
import { Project } from "./project.ts";

/** An API key. The key itself is not here: only its hash. */
export const ApiKey = defineEntity({
  name: "ApiKey",
  tableName: "api_key",
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).fieldName("project_id"),
    /** Part of the key that may be shown and logged. */
    publicId: p.string().length(12).unique(),
    /** SHA-256 of the whole key, in hex. */
    hash: p.string().length(64).unique(),
    /** SHA-256 of the key before it was rotated, in hex. */
    previousHash: p.string().length(64).nullable().unique(),
    /** When the key before it was rotated stops working. */
    previousExpiresAt: p.datetime(3).nullable(),
    name: p.text(),
    /** The permissions beside those of every key: KeyPermission; null for none. */
    permissions: p.json<readonly string[]>().nullable(),
    /** The tags of all its calls; null for none. */
    tags: p.json<Readonly<Record<string, string>>>().nullable(),
    /** The account of the person who created it; null where no person did. */
    createdBy: p.uuid().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    /** Null for a key that is not paused. */
    pausedAt: p.datetime(3).nullable(),
    /** Written in batches, so it may be behind by half a minute. */
    lastUsedAt: p.datetime(3).nullable(),
  },
});
