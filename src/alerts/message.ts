import { ALERT_KINDS } from "./kinds.ts";
import type { MessageType } from "./message-types.ts";
import type { AlertRecord } from "./ports.ts";

/** Alerts that one message names; of more it tells the number. */
const MOST_NAMED = 20;
/** Most characters of a text that goes to Slack and mail. */
const MOST_CHARACTERS = 2900;

/** The names of projects by their ids. */
export type ProjectNames = ReadonlyMap<string, string>;

/** The context of a message. */
export interface MessageContext {
  readonly names: ProjectNames;
  readonly now: Date;
  /** The address of the dashboard, where it is known. */
  readonly dashboardUrl: string | undefined;
}

/** A message as it is stored and sent to webhooks. */
export interface Message {
  readonly type: MessageType;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: MessageData;
}

interface MessageData {
  /** One line. */
  readonly title: string;
  /** Lines for people. */
  readonly text: string;
  readonly [member: string]: unknown;
}

/** Writes the alerts of one rule that were opened, or are over, as one message. */
export function alertMessage(
  type: "alert.opened" | "alert.closed",
  alerts: readonly AlertRecord[],
  { names, now, dashboardUrl }: MessageContext,
): Message {
  const named = alerts.slice(0, MOST_NAMED);
  const lines = named.map((alert) => getLine(alert, names));
  const more = alerts.length - named.length;
  const [first] = alerts;
  const label = first === undefined ? "" : ALERT_KINDS[first.kind].label;
  const state = type === "alert.opened" ? "Alert" : "Over";
  const title = alerts.length === 1 ? `${state}: ${lines[0]}` : `${state}: ${label}, ${alerts.length} times`;
  const text = [...lines.map((line) => `${state}: ${line}`), ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
  const url = dashboardUrl && getPage(alerts, dashboardUrl);
  return {
    type,
    timestamp: now.toISOString(),
    data: {
      title,
      text: [cut(text), ...(url === undefined ? [] : [url])].join("\n"),
      url,
      rule: first?.rule ?? "",
      kind: first?.kind ?? "",
      total: alerts.length,
      alerts: named.map((alert) => toJson(alert, names)),
    },
  };
}

/** Writes the message of a test. */
export function testMessage(destination: string, now: Date): Message {
  const title = `Test: alerts of Attune reach ${destination}`;
  return { type: "alert.test", timestamp: now.toISOString(), data: { title, text: title } };
}

/** Returns the address of the page that has the alerts: of their project, or of the one that was looked at last. */
function getPage(alerts: readonly AlertRecord[], dashboardUrl: string): string {
  const [projectId = "", ...others] = new Set(alerts.map((alert) => alert.projectId));
  return others.length > 0 || projectId === ""
    ? `${dashboardUrl}/alerts`
    : `${dashboardUrl}/projects/${encodeURIComponent(projectId)}/alerts`;
}

/** Returns the sentence about an alert, with its project and threshold. */
function getLine({ projectId, kind, summary }: AlertRecord, names: ProjectNames): string {
  const place = projectId === "" ? "" : `, project ${names.get(projectId) ?? projectId}`;
  return `${ALERT_KINDS[kind].label}${place}: ${summary}`;
}

function toJson(alert: AlertRecord, names: ProjectNames) {
  const { id, projectId, rule, kind, subject, summary, value, threshold, openedAt, closedAt } = alert;
  return {
    id,
    rule,
    kind,
    project_id: projectId === "" ? null : projectId,
    project: names.get(projectId) ?? null,
    subject,
    summary,
    value,
    threshold,
    opened_at: openedAt.toISOString(),
    closed_at: closedAt?.toISOString() ?? null,
  };
}

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}...`;
}
