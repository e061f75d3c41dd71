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

/** The part of a lease that others get when its process has died. */
export const QuotaLease = defineEntity({
  name: "QuotaLease",
  tableName: "quota_lease",
  indexes: [{ properties: ["name"] }, { properties: ["endsAt"] }],
  properties: {
    process: p.uuid().primary(),
    /** Name of the window. */
    name: p.text().primary(),
    /** End of the window. */
    endsAt: p.bigint("number").nullable(),
    /** Of calls in flight all of the lease, since they end with the process. */
    free: p.bigint("number"),
    /** Taken back, which the process is still to be told. */
    lost: p.bigint("number"),
  },
});

/** A process that has leased something. */
export const QuotaProcess = defineEntity({
  name: "QuotaProcess",
  tableName: "quota_process",
  properties: {
    process: p.uuid().primary(),
    /** When it was last heard of, by the database's clock. */
    seenAt: p.datetime(3),
  },
});
