import { defineEntity, p } from "@mikro-orm/core";

/**
 * The latest notices between processes on one SQLite file. It takes the place of PostgreSQL's NOTIFY, and belongs to
 * the transaction that made the change. Ids go up by one, and no id comes twice.
 */
export const ChangeNotice = defineEntity({
  name: "ChangeNotice",
  tableName: "change_notice",
  properties: {
    id: p.integer().primary().autoincrement(),
    channel: p.string(),
    payload: p.string(),
  },
});
