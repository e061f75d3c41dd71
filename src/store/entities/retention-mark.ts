import { defineEntity, p } from "@mikro-orm/core";

/** The progress of retention with one kind of data. It outlives the process: a later clock is compared with it. */
export const RetentionMark = defineEntity({
  name: "RetentionMark",
  tableName: "retention_mark",
  properties: {
    /** One of RETENTION_KINDS. */
    kind: p.string().length(20).primary(),
    /** Days for which it was kept by the last run. */
    retentionDays: p.integer(),
    /** Older data was deleted, or is about to be. */
    deletedBefore: p.datetime(3),
    /** Older data may be deleted, however much it is: an operator confirmed it. */
    confirmedBefore: p.datetime(3).nullable(),
    /** When the last run was, by the time that it believed. */
    ranAt: p.datetime(3),
  },
});
