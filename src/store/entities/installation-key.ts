import { defineEntity, p } from "@mikro-orm/core";

/** A secret of the installation, which all its processes share; there is one, under number 1. */
export const InstallationKey = defineEntity({
  name: "InstallationKey",
  tableName: "installation_key",
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** 32 random bytes in base64url. */
    secret: p.string().length(43),
    createdAt: p.datetime(3),
  },
});
