import { isAlertKind } from "../alerts/kinds.ts";
import { type AlertRule, DEFAULT_RULES } from "../alerts/rules.ts";
import type { AlertSettings } from "../alerts/settings.ts";
import type { ParsedConfig } from "./schema.ts";

type ParsedRule = ParsedConfig["alerts"]["rules"][string];

/** Makes the settings of alerts: the rules that hold from the start, with what the configuration says of them. */
export function buildAlerts(
  { rules, destinations, smtp, ...parsed }: ParsedConfig["alerts"],
  { server: { publicUrl }, dashboard }: Pick<ParsedConfig, "server" | "dashboard">,
): AlertSettings {
  const added = Object.entries(rules).filter(([name]) => !DEFAULT_RULES.some((rule) => rule.name === name));
  return {
    ...parsed,
    rules: [
      ...DEFAULT_RULES.map((rule) => mergeRule(rule, rules[rule.name])),
      ...added.flatMap(([name, rule]) => buildRule(name, rule)),
    ],
    destinations: Object.entries(destinations).map(([name, { kind, url, to, secret, sends, rules: only }]) => ({
      name,
      kind,
      secret,
      sends,
      rules: only,
      target: (kind === "email" ? to : url) ?? "",
    })),
    smtp: smtp && { ...smtp, user: smtp.user, password: smtp.password },
    dashboardUrl: publicUrl && dashboard.enabled ? `${publicUrl}/dashboard` : undefined,
  };
}

function mergeRule(rule: AlertRule, { enabled = rule.isEnabled, ...parsed }: ParsedRule = {}): AlertRule {
  const given = Object.entries(parsed).filter(([, value]) => value !== undefined);
  return { ...rule, ...Object.fromEntries(given), isEnabled: enabled };
}

/** A further rule is like the one of its kind that holds from the start, but for what is said of it. */
function buildRule(name: string, parsed: ParsedRule): AlertRule[] {
  const kind = parsed.kind ?? name;
  const base = DEFAULT_RULES.find((rule) => rule.kind === kind);
  return isAlertKind(kind) && base !== undefined ? [{ ...mergeRule(base, parsed), name }] : [];
}
