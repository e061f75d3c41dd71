import { defineEntity, p } from "@mikro-orm/core";
import { Project } from "./project.ts";

/** A key of the administrative service, which calls no models. The key itself is not here: only its hash. */
export const AdminKey = defineEntity({
  name: "AdminKey",
  tableName: "admin_key",
  properties: {
    id: p.uuid().primary(),
    /** The project that it is bound to; null for all. */
    project: () => p.manyToOne(Project).fieldName("project_id").deleteRule("cascade").nullable(),
    /** Part of the key that may be shown and logged. */
    publicId: p.string().length(12).unique(),
    /** SHA-256 of the whole key, in hex. */
    hash: p.string().length(64).unique(),
    name: p.text(),
    /** AdminScope, at least one. */
    scopes: p.json<readonly string[]>(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    /** It may be behind by half a minute. */
    lastUsedAt: p.datetime(3).nullable(),
  },
});
