import { DEFAULT_RULES } from "../../src/alerts/rules.ts";
import type { AlertPorts } from "../../src/operations/handlers.ts";

/** Alerts as they are from the start; each test of a destination is delivered. */
export const ALERT_PORTS: AlertPorts = {
  settings: () => ({
    enabled: true,
    rules: DEFAULT_RULES,
    destinations: [],
    smtp: undefined,
    allowPrivateAddresses: true,
    dashboardUrl: undefined,
  }),
  secretOf: ({ id }) => `whsec_${id}`,
  test: async (_own, id) => ({ id, body: "{}", isDelivered: true, isFinal: true, status: 204, problem: undefined }),
};
