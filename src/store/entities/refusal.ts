import { defineEntity, p } from "@mikro-orm/core";

/**
 * Returns the properties of refused calls of one reason and key; a new object each time, because an entity takes them
 * over. Project and key are empty where they are not known.
 */
function countedProperties() {
  return {
    projectId: p.text().primary(),
    /** Since 1970, UTC. */
    period: p.integer().primary(),
    reason: p.text().primary(),
    keyId: p.text().primary(),
    calls: p.bigint("number"),
    /** When the first and the last of them were, in milliseconds since 1970. */
    firstMs: p.bigint("number"),
    lastMs: p.bigint("number"),
  };
}

/** Refused calls counted by the minute, of the last two hours. */
export const RefusalMinute = defineEntity({
  name: "RefusalMinute",
  tableName: "refusal_minute",
  properties: countedProperties(),
});

/** Refused calls counted by the hour. */
export const RefusalHour = defineEntity({
  name: "RefusalHour",
  tableName: "refusal_hour",
  properties: countedProperties(),
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
