import { describe, expect, it } from "vitest";
import { DatabaseAlert } from "../../src/alerts/database-alert.ts";
import type { AlertRecord, Delivery } from "../../src/alerts/ports.ts";
import { DEFAULT_RULES } from "../../src/alerts/rules.ts";
import type { AlertSettings } from "../../src/alerts/settings.ts";

const MINUTE_MS = 60_000;
const ops = {
  name: "ops",
  kind: "webhook",
  target: "http://x/",
  secret: undefined,
  sends: ["alerts"],
  rules: undefined,
} as const;
const SETTINGS: AlertSettings = {
  enabled: true,
  rules: DEFAULT_RULES,
  destinations: [ops],
  smtp: undefined,
  allowPrivateAddresses: false,
  dashboardUrl: undefined,
};

function createAlert() {
  const sent: Delivery[] = [];
  const recorded: AlertRecord[] = [];
  const told: (Date | null)[] = [];
  const facts = { state: "ok", isReached: true };
  const alert = new DatabaseAlert({
    settings: () => SETTINGS,
    state: () => facts.state,
    async send(delivery) {
      if (facts.isReached) sent.push(delivery);
      return { isDelivered: facts.isReached, isFinal: false, status: null, problem: undefined };
    },
    count: () => {},
    async record(over) {
      recorded.push(over);
    },
    onChange: ({ closedAt }) => told.push(closedAt),
  });
  return { alert, sent, recorded, told, facts };
}

describe("DatabaseAlert", () => {
  it("tells from memory that the database is away, and into the history once it is back", async () => {
    const { alert, sent, recorded, told, facts } = createAlert();
    facts.state = "away";
    await alert.check(0);
    await alert.check(0.9 * MINUTE_MS);
    expect(sent).toEqual([]);
    facts.isReached = false;
    await alert.check(MINUTE_MS);
    facts.isReached = true;
    await alert.check(2 * MINUTE_MS);
    await alert.check(3 * MINUTE_MS);
    expect(sent.map(({ type }) => type)).toEqual(["alert.opened"]);
    expect(recorded).toEqual([]);
    facts.state = "ok";
    await alert.check(4 * MINUTE_MS);
    await alert.check(5 * MINUTE_MS);
    expect(sent.map(({ type }) => type)).toEqual(["alert.opened", "alert.closed"]);
    expect(told).toEqual([null, new Date(4 * MINUTE_MS)]);
    expect(recorded).toMatchObject([
      { kind: "database", openedAt: new Date(MINUTE_MS), closedAt: new Date(4 * MINUTE_MS) },
    ]);
  });

  it("gives messages of several processes about one outage the same ids", async () => {
    const processes = [createAlert(), createAlert()];
    for (const [index, { alert, facts }] of processes.entries()) {
      facts.state = "away";
      await alert.check(index * 1000);
      await alert.check(index * 1000 + MINUTE_MS);
    }
    const [first, second] = processes.map(({ sent }) => sent.map(({ id }) => id));
    expect(first).toHaveLength(1);
    expect(second).toEqual(first);
  });
});
