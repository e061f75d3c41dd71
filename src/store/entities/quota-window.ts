import { defineEntity, p } from "@mikro-orm/core";

/** The amount that all processes together have leased of one limit, in one window. */
export const QuotaWindow = defineEntity({
  name: "QuotaWindow",
  tableName: "quota_window",
  indexes: [{ properties: ["endsAt"] }],
  properties: {
    /** The rule, the start of the window in milliseconds since 1970, and the subject. */
    name: p.text().primary(),
    /** Milliseconds since 1970; null for a window that no time ends. */
    endsAt: p.bigint("number").nullable(),
    leased: p.bigint("number"),
  },
});

/** The calls in flight that one process has leased of a subject: they are free again when it has died. */
export const QuotaLease = defineEntity({
  name: "QuotaLease",
  tableName: "quota_lease",
  indexes: [{ properties: ["subject"] }],
  properties: {
    process: p.uuid().primary(),
    subject: p.text().primary(),
    leased: p.integer(),
    /** When that process was last heard of, by the database's clock. */
    seenAt: p.datetime(3),
  },
});
