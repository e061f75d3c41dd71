import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** One row: the process that evaluates rules and sends messages, and how far the audit log was sent. */
export const AlertLease = defineEntity({
  name: "AlertLease",
  tableName: "alert_lease",
  properties: {
    id: p.integer().primary().autoincrement(false),
    process: p.uuid(),
    /** Another process may take it over from then on, by the database's clock. */
    endsAt: p.datetime(3),
    /** The latest entry of the audit log that has a delivery. */
    auditSequence: p.bigint("number"),
  },
});

/** A rule of a project's own. */
export const AlertRule = defineEntity({
  name: "AlertRule",
  tableName: "alert_rule",
  properties: {
    projectId: p.uuid().primary(),
    /** A rule of the configuration with the same name does not hold in the project. */
    name: p.text().primary(),
    /** AlertKind. */
    kind: p.text(),
    threshold: p.double().$type<number>(),
    windowMinutes: p.integer(),
    minCalls: p.integer(),
    isEnabled: p.boolean(),
    updatedAt: p.datetime(3),
  },
});

/** A place that messages about a project's alerts go to. */
export const AlertDestination = defineEntity({
  name: "AlertDestination",
  tableName: "alert_destination",
  indexes: [{ properties: ["projectId"] }],
  properties: {
    id: p.uuid().primary(),
    projectId: p.uuid(),
    name: p.text(),
    /** webhook, slack or email. */
    kind: p.text(),
    /** The URL, which is a secret of Slack's, or the address of mail. */
    target: p.text(),
    createdAt: p.datetime(3),
  },
});

/** A condition that a rule tells of, from its beginning to its end. */
export const Alert = defineEntity({
  name: "Alert",
  tableName: "alert",
  indexes: [{ properties: ["projectId", "id"] }, { properties: ["closedAt"] }],
  properties: {
    id: p.uuid().primary(),
    /** Empty for the installation. */
    projectId: p.text(),
    /** Name of the rule. */
    rule: p.text(),
    kind: p.text(),
    /** The thing that the condition is of: a workload, a limit, an upstream; empty for the whole. */
    subject: p.text(),
    /** One sentence, as of its worst. */
    summary: p.text(),
    value: p.double().$type<number>(),
    threshold: p.double().$type<number>(),
    openedAt: p.datetime(3),
    /** When the condition was last seen. */
    seenAt: p.datetime(3),
    closedAt: p.datetime(3).nullable(),
    /** Project, rule and subject while it is open, so that one cause has one alert; null once it is closed. */
    openKey: p.text().nullable().unique(),
    /** True while a message about its last change is due. */
    isUntold: p.boolean(),
  },
});

/** A condition that one process reports of itself. */
export const AlertSignal = defineEntity({
  name: "AlertSignal",
  tableName: "alert_signal",
  indexes: [{ properties: ["expiresAt"] }],
  properties: {
    process: p.uuid().primary(),
    /** Kind and subject. */
    name: p.text().primary(),
    kind: p.text(),
    subject: p.text(),
    /** Empty for the installation. */
    projectId: p.text(),
    value: p.double().$type<number>(),
    expiresAt: p.datetime(3),
  },
});

/** A message to a destination. */
export const AlertDelivery = defineEntity({
  name: "AlertDelivery",
  tableName: "alert_delivery",
  indexes: [{ properties: ["state", "nextAt"] }, { properties: ["projectId", "id"] }],
  properties: {
    /** The `webhook-id`. */
    id: p.uuid().primary(),
    /** Empty for destinations of the configuration. */
    projectId: p.text(),
    /** `config:NAME` or the id of a project's own. */
    destination: p.text(),
    /** MessageType. */
    type: p.text(),
    /** JSON. */
    body: p.text(),
    /** pending, delivered or failed. */
    state: p.text(),
    attempts: p.integer(),
    nextAt: p.datetime(3),
    /** Status of the latest answer; null where there was none. */
    status: p.integer().nullable(),
    /** The reason why the latest attempt failed. */
    problem: p.text().nullable(),
    createdAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
  },
});

/** A row of `alert`. */
export type AlertRow = InferEntity<typeof Alert>;

/** A row of `alert_delivery`. */
export type AlertDeliveryRow = InferEntity<typeof AlertDelivery>;

/** A row of `alert_rule`. */
export type AlertRuleRow = InferEntity<typeof AlertRule>;

/** A row of `alert_destination`. */
export type AlertDestinationRow = InferEntity<typeof AlertDestination>;
