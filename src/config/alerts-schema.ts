import { z } from "zod";
import { thresholdProblem } from "../alerts/check-rule.ts";
import { ALERT_KIND_NAMES, ALERT_KINDS, isAlertKind } from "../alerts/kinds.ts";
import { DESTINATION_KINDS } from "../alerts/ports.ts";
import { DESTINATION_SENDS, SMTP_TLS } from "../alerts/settings.ts";
import { amount, anyText, boolean, host, integer, keys, name, secret, signingSecret, webhookUrl } from "./fields.ts";

const WEEK_MINUTES = 7 * 24 * 60;

const rule = keys({
  kind: z
    .enum(ALERT_KIND_NAMES, { error: `must be ${ALERT_KIND_NAMES.join(", ")}` })
    .optional()
    .describe("Condition; omit it for a default rule"),
  scope: z
    .enum(["project", "installation"], { error: "must be project or installation" })
    .optional()
    .describe("Evaluate each project separately, which is the default, or the installation as a whole"),
  threshold: amount().optional().describe("Value that triggers the alert: 0.1 for an error rate of 10%"),
  windowMinutes: integer(1, WEEK_MINUTES).optional().describe("Evaluated minutes; at most 60 for calls"),
  minCalls: integer(0, 1_000_000)
    .optional()
    .describe("Calls in the window below which error rate and latency aren't evaluated"),
  enabled: boolean().optional().describe("false turns it off"),
}).check(({ value, issues }) => {
  const { kind, windowMinutes = 0 } = value;
  if (kind === undefined || windowMinutes <= (ALERT_KINDS[kind].maxWindowMinutes ?? WEEK_MINUTES)) return;
  const message = `must be ${ALERT_KINDS[kind].maxWindowMinutes} at most for ${kind}`;
  issues.push({ code: "custom", path: ["windowMinutes"], message, input: windowMinutes });
});

const rules = z
  .record(name(), rule, { error: "must be a map of names to rules" })
  .check(({ value, issues }) => {
    for (const [ruleName, { kind, threshold = 0 }] of Object.entries(value)) {
      const of = kind ?? ruleName;
      const isKnown = isAlertKind(of);
      const message = isKnown ? thresholdProblem(of, threshold) : `must be ${ALERT_KIND_NAMES.join(", ")}`;
      if (message === undefined) continue;
      issues.push({ code: "custom", path: [ruleName, isKnown ? "threshold" : "kind"], message, input: undefined });
    }
  })
  .default({})
  .describe("Rules by name. Default rules have the name of their kind; what you set here replaces their settings");

const destination = keys({
  kind: z
    .enum(DESTINATION_KINDS, { error: `must be ${DESTINATION_KINDS.join(", ")}` })
    .describe("Your own webhook, an incoming webhook of Slack or Mattermost, or email"),
  url: webhookUrl().optional().describe("Address of the webhook; Slack's is a secret"),
  secret: signingSecret()
    .optional()
    .describe("Secret that signs webhook messages (Standard Webhooks): whsec_ and base64; unsigned if absent"),
  to: anyText().optional().describe("Email address: ops@example.com"),
  sends: z
    .array(z.enum(DESTINATION_SENDS), { error: `must be a list of ${DESTINATION_SENDS.join(", ")}` })
    .min(1, { error: "must have at least one" })
    .default(["alerts"])
    .describe("Sent messages: alerts, or audit log entries, for one webhook at most"),
  rules: z
    .array(name(), { error: "must be a list of names of rules" })
    .optional()
    .describe("Rules whose alerts are sent; all if absent"),
}).check(({ value, issues }) => {
  const { kind, url, to, sends } = value;
  const add = (path: string, message: string) => issues.push({ code: "custom", path: [path], message, input: value });
  if (kind === "email" && to === undefined) add("to", "must be an address of mail");
  if (kind !== "email" && url === undefined) add("url", "must be an http or https address");
  if (kind !== "webhook" && sends.includes("audit-log")) add("sends", "must be [alerts] unless the kind is webhook");
});

const smtp = keys({
  host: host().describe("Host of the mail server: smtp.example.com"),
  port: integer(1, 65_535).default(587).describe("Its port"),
  tls: z
    .enum(SMTP_TLS, { error: `must be ${SMTP_TLS.join(", ")}` })
    .default("starttls")
    .describe("implicit: encrypted from the start; starttls: required STARTTLS; none: unencrypted"),
  user: anyText().optional().describe("Account; none if absent"),
  password: secret().optional().describe("Its password"),
  from: anyText().describe("Sender: Attune <attune@example.com>"),
});

/** Alerts: rules, and where messages go. */
export const alerts = keys({
  enabled: boolean().default(true).describe("Evaluate rules and send messages"),
  rules,
  destinations: z
    .record(name(), destination, { error: "must be a map of names to destinations" })
    .check(({ value, issues }) => {
      const audited = Object.entries(value).filter(([, { sends }]) => sends.includes("audit-log"));
      const [, second] = audited;
      if (second === undefined) return;
      const message = "must be [alerts]: one destination at most is sent the audit log";
      issues.push({ code: "custom", path: [second[0], "sends"], message, input: second[1].sends });
    })
    .default({})
    .describe(
      "Where messages about all projects go, by name; without any, alerts show only in the log and on the dashboard",
    ),
  smtp: smtp.optional().describe("Mail server"),
  allowPrivateAddresses: boolean()
    .default(false)
    .describe("Allow projects to add webhooks in private networks; those in this file may be anywhere"),
});
