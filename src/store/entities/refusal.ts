import { defineEntity, p } from "@mikro-orm/core";

/** Refused calls counted by the hour. Project and key are empty where they are not known. */
export const RefusalHour = defineEntity({
  name: "RefusalHour",
  tableName: "refusal_hour",
  properties: {
    projectId: p.text().primary(),
    /** Hours since 1970, UTC. */
    hour: p.integer().primary(),
    reason: p.text().primary(),
    keyId: p.text().primary(),
    calls: p.bigint("number"),
  },
});

/** One of the last refused calls of a reason and a project, without secret and body. */
export const RefusedCall = defineEntity({
  name: "RefusedCall",
  tableName: "refused_call",
  indexes: [{ properties: ["projectId", "reason", "id"] }],
  properties: {
    id: p.uuid().primary(),
    projectId: p.text(),
    reason: p.text(),
    keyId: p.text(),
    at: p.datetime(3),
    call: p.text(),
    message: p.text(),
  },
});
