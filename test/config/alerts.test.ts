import { describe, expect, it } from "vitest";
import { load, useFolder } from "./harness.ts";

describe("alerts of the configuration", () => {
  useFolder();

  it("keep the rules that hold from the start, but for what is said of them, and add further ones", () => {
    const { alerts } = load(`
alerts:
  rules:
    error-rate: { threshold: 0.05, windowMinutes: 5 }
    drift: { enabled: false }
    all-errors: { kind: error-rate, scope: installation, threshold: 0.5 }
  destinations:
    ops: { kind: webhook, url: "https://example.com/hook", secret: whsec_c2VjcmV0IG9mIHRlc3Rz, rules: [all-errors] }
    siem: { kind: webhook, url: "http://10.0.0.1/audit", sends: [audit-log] }
    mail: { kind: email, to: ops@example.com }
  smtp: { host: localhost, from: attune@example.com }
`);
    expect(alerts.rules.map(({ name }) => name)).toEqual([
      ...[
        "error-rate",
        "latency",
        "budget",
        "refused-keys",
        "canceled-cost",
        "drift",
        "regret-budget",
        "crowded-metrics",
        "deployment",
        "spool",
      ],
      ...["database", "all-errors"],
    ]);
    expect(alerts.rules[0]).toEqual({
      name: "error-rate",
      kind: "error-rate",
      scope: "project",
      threshold: 0.05,
      windowMinutes: 5,
      minCalls: 20,
      isEnabled: true,
    });
    expect(alerts.rules[5]).toMatchObject({ name: "drift", isEnabled: false, threshold: 1 });
    expect(alerts.rules[11]).toMatchObject({ kind: "error-rate", scope: "installation", threshold: 0.5 });
    expect(alerts.destinations).toMatchObject([
      { name: "ops", target: "https://example.com/hook", sends: ["alerts"], rules: ["all-errors"] },
      { name: "siem", sends: ["audit-log"], secret: undefined },
      { name: "mail", kind: "email", target: "ops@example.com" },
    ]);
    expect(alerts.smtp).toMatchObject({ port: 587, tls: "starttls" });
  });

  it.each([
    ["rules: { mine: { threshold: 1 } }", "alerts.rules.mine.kind is missing: it must be error-rate, latency"],
    ["rules: { error-rate: { threshold: 5 } }", "error-rate.threshold must be a share from 0 to 1 for error-rate"],
    ["rules: { mine: { kind: latency, windowMinutes: 90 } }", "windowMinutes must be 60 at most for latency"],
    [
      "destinations: { a: { kind: webhook } }",
      "alerts.destinations.a.url is missing: it must be an http or https address",
    ],
    ["destinations: { a: { kind: email } }", "alerts.destinations.a.to is missing: it must be an address of mail"],
    ["destinations: { a: { kind: slack, url: 'http://x', sends: [audit-log] } }", "sends must be [alerts] unless"],
    [
      "destinations: { a: &w { kind: webhook, url: 'http://x', sends: [audit-log] }, b: *w }",
      "alerts.destinations.b.sends must be [alerts]: one destination at most is sent the audit log",
    ],
  ])("names the mistake in %s", (text, mistake) => {
    expect(() => load(`alerts:\n  ${text}\n`)).toThrow(mistake);
  });
});
