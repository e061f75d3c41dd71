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
    .describe("The condition it is about; left out where its name is that of a rule which holds from the start"),
  scope: z
    .enum(["project", "installation"], { error: "must be project or installation" })
    .optional()
    .describe("Whether calls are looked at for each project, which is the default, or for all of them together"),
  threshold: amount().optional().describe("Value from which on it is an alert: 0.1 for an error rate of 10%"),
  windowMinutes: integer(1, WEEK_MINUTES).optional().describe("Minutes that are looked at; 60 at most for calls"),
  minCalls: integer(0, 1_000_000).optional().describe("Fewer calls in the window tell nothing of errors and latency"),
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
  .describe("Rules by name; those that hold from the start have the names of their kinds, and members replace theirs");

const destination = keys({
  kind: z
    .enum(DESTINATION_KINDS, { error: `must be ${DESTINATION_KINDS.join(", ")}` })
    .describe("A webhook of your own, an incoming webhook of Slack, Mattermost and the like, or mail"),
  url: webhookUrl().optional().describe("Address of a webhook; that of Slack is a secret"),
  secret: signingSecret()
    .optional()
    .describe("Signs messages to a webhook, as Standard Webhooks has it: whsec_ and base64; not signed if absent"),
  to: anyText().optional().describe("Address of mail: ops@example.com"),
  sends: z
    .array(z.enum(DESTINATION_SENDS), { error: `must be a list of ${DESTINATION_SENDS.join(", ")}` })
    .min(1, { error: "must have at least one" })
    .default(["alerts"])
    .describe("What it is sent: alerts, or the entries of the audit log, which one webhook at most may get"),
  rules: z
    .array(name(), { error: "must be a list of names of rules" })
    .optional()
    .describe("Names of the rules whose alerts it is sent; all if absent"),
}).check(({ value, issues }) => {
  const { kind, url, to, sends } = value;
  const add = (path: string, message: string) => issues.push({ code: "custom", path: [path], message, input: value });
  if (kind === "email" && to === undefined) add("to", "must be an address of mail");
  if (kind !== "email" && url === undefined) add("url", "must be an http or https address");
  if (kind !== "webhook" && sends.includes("audit-log")) add("sends", "must be [alerts] unless the kind is webhook");
});

const smtp = keys({
  host: host().describe("Server that takes the mail: smtp.example.com"),
  port: integer(1, 65_535).default(587).describe("Its port"),
  tls: z
    .enum(SMTP_TLS, { error: `must be ${SMTP_TLS.join(", ")}` })
    .default("starttls")
    .describe("Whether the connection begins encrypted, becomes so by STARTTLS and else fails, or stays plain"),
  user: anyText().optional().describe("Account; none if absent"),
  password: secret().optional().describe("Its password"),
  from: anyText().describe("Sender: Attune <attune@example.com>"),
});

/** Alerts: rules, and where messages go. */
export const alerts = keys({
  enabled: boolean().default(true).describe("Whether rules are evaluated and messages sent"),
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
    .describe("Where messages about alerts of all projects go, by name; without any they are in the log and dashboard"),
  smtp: smtp.optional().describe("Server for mail"),
  allowPrivateAddresses: boolean()
    .default(false)
    .describe("Whether webhooks that projects add may be in private networks; those of this file may be anywhere"),
});
