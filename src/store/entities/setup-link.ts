import { defineEntity, p } from "@mikro-orm/core";

/** The link through which the first account is made; there is at most one. */
export const SetupLink = defineEntity({
  name: "SetupLink",
  tableName: "setup_link",
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** SHA-256 in hex. */
    tokenHash: p.string().length(64),
    expiresAt: p.datetime(3),
  },
});
