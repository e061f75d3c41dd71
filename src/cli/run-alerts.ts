import { configuredDestinations } from "../alerts/destinations.ts";
import { ALERT_KINDS } from "../alerts/kinds.ts";
import { createSendPorts, sendTest } from "../main/open-alerts.ts";
import { listAlerts } from "../store/alerts/write-alerts.ts";
import { listProjects } from "../store/dashboard/projects.ts";
import { fail, print, printTable } from "./output.ts";
import { readConfig, withStore } from "./with-config.ts";

/** The options of `attune alerts list`. */
interface ListOptions {
  readonly open?: boolean;
  readonly limit: number;
  readonly json?: true;
}

/** Prints alerts of all projects and of the installation. */
export async function runAlertList({ open = false, limit, json }: ListOptions): Promise<void> {
  await withStore(async (store) => {
    const alerts = await listAlerts(store, { isOpen: open, limit });
    if (json) return print(JSON.stringify(alerts, undefined, 2));
    const names = new Map((await listProjects(store)).map(({ id, name }) => [id, name]));
    printTable(
      ["OPENED", "CLOSED", "PROJECT", "RULE", "ALERT"],
      alerts.map(({ openedAt, closedAt, projectId, rule, kind, summary }) => [
        ...[openedAt.toISOString(), closedAt?.toISOString() ?? "open"],
        ...[
          projectId === "" ? "-" : (names.get(projectId) ?? projectId),
          rule,
          `${ALERT_KINDS[kind].label}: ${summary}`,
        ],
      ]),
    );
  });
}

/** Sends a test to the destinations of the configuration, and says how each ended. */
export async function runAlertTest({ destination }: { readonly destination?: string }): Promise<void> {
  const { alerts } = readConfig();
  const all = configuredDestinations(alerts);
  const wanted = destination === undefined ? all : all.filter(({ name }) => name === destination);
  if (wanted.length === 0) {
    const names = all.map(({ name }) => name).join(", ");
    fail(names === "" ? "alerts.destinations of attune.yaml names none" : `there is no such destination: ${names}`);
  }
  let failed = 0;
  for (const one of wanted) {
    const { isDelivered, problem } = await sendTest(
      one,
      createSendPorts(() => alerts),
    );
    if (!isDelivered) failed += 1;
    print(`${one.name} (${one.kind}): ${isDelivered ? "taken" : `not taken: ${problem}`}`);
  }
  if (failed > 0) process.exitCode = 1;
}
