import { defineEntity, p } from "@mikro-orm/core";

/** A quota that people have set; an owner without a row has none of its own. */
export const Quota = defineEntity({
  name: "Quota",
  tableName: "quota",
  indexes: [{ properties: ["updatedAt"] }],
  properties: {
    /** QuotaKind. */
    kind: p.text().primary(),
    /** Empty for the installation, and for what goes for every project. */
    projectId: p.text().primary(),
    /** Empty for the installation, for projects, and for each of the kind that has no quota by name. */
    name: p.text().primary(),
    /** QuotaSettings: what it limits, with at least one member. */
    settings: p.json<unknown>(),
    /** No two rows ever have the same, and each change has a later one. */
    updatedAt: p.datetime(3),
  },
});
