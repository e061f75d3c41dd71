import type { KeyObject } from "node:crypto";
import { AlertKeeper } from "../alerts/alert-keeper.ts";
import { DatabaseAlert } from "../alerts/database-alert.ts";
import { type Destination, destinationSecret, ownedDestination } from "../alerts/destinations.ts";
import type { LocalSignals } from "../alerts/local-signals.ts";
import { testMessage } from "../alerts/message.ts";
import type { OwnedDestination } from "../alerts/ports.ts";
import { ProcessWatch } from "../alerts/process-watch.ts";
import { type SendPorts, send } from "../alerts/send.ts";
import { sendMail } from "../alerts/send-mail.ts";
import type { AlertSettings } from "../alerts/settings.ts";
import { newId } from "../lib/ids.ts";
import { publicLookup } from "../lib/public-address.ts";
import { logAlerts } from "../observability/log-alerts.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createAlertStore } from "../store/alerts/alert-store.ts";
import type { DashboardReads } from "../store/dashboard/reads/reads.ts";
import type { Records } from "../store/records.ts";
import { createWebhookClient } from "../upstream/webhook-client.ts";
import type { Setup } from "./setup.ts";

/** The ports of alerts. */
interface AlertPorts extends Pick<Setup, "store" | "log"> {
  /** The clock that all processes of the database share. */
  readonly now: () => number;
  /** The settings that hold now. */
  readonly settings: () => AlertSettings;
  readonly signingKey: KeyObject;
  readonly reads: DashboardReads;
  readonly count: Metrics["alerts"];
  readonly places: ConstructorParameters<typeof ProcessWatch>[0]["places"];
  readonly spoolMaxBytes: number;
  readonly records: Pick<Records, "recorder" | "databaseState">;
  readonly signals: LocalSignals;
}

const WATCH_MS = 5000;
const COMPLAINT_MS = 60_000;

/** Opens the evaluation of rules and the sending of messages. */
export function openAlerts({ store, log, now, settings, signals, count, ...ports }: AlertPorts) {
  const { recorder, databaseState } = ports.records;
  const spool = () => {
    const { spoolBytes, dropped, droppedBodies } = recorder.stats();
    return { bytes: spoolBytes, maxBytes: ports.spoolMaxBytes, lost: dropped + droppedBodies };
  };
  const sendPorts = createSendPorts(settings);
  const sendOnce: AlertSend = (delivery, destination) => send(delivery, destination, sendPorts);
  const alertStore = createAlertStore(store, { reads: ports.reads });
  let complainedMs = Number.NEGATIVE_INFINITY;
  const onFailure = (error: unknown): void => {
    // A database that is away is told of by whoever watches it.
    if (databaseState() !== "ok" || performance.now() - complainedMs < COMPLAINT_MS) return;
    complainedMs = performance.now();
    log.warn({ err: error }, "alerts could not be evaluated or sent; trying again");
  };
  const keeper = new AlertKeeper({
    store: alertStore,
    settings,
    signals,
    signingKey: ports.signingKey,
    send: sendOnce,
    count: count.delivered,
    onChange: (changed) => logAlerts(log, changed),
    onCount: count.firing,
    onFailure,
    now,
  });
  const watch = new ProcessWatch({ places: ports.places, spool }, signals);
  const database = new DatabaseAlert({
    settings,
    state: databaseState,
    send: sendOnce,
    count: count.delivered,
    record: (alert) => alertStore.record(alert),
    onChange: (alert) =>
      logAlerts(log, alert.closedAt === null ? { opened: [alert], closed: [] } : { opened: [], closed: [alert] }),
  });
  let isChecking = false;
  const timer = setInterval(() => {
    if (!settings().enabled) return;
    watch.check(now());
    if (isChecking) return;
    isChecking = true;
    const checked = database.check(now()).catch(onFailure);
    void checked.finally(() => {
      isChecking = false;
    });
  }, WATCH_MS).unref();
  keeper.start();
  return {
    secretOf: (own: OwnedDestination) => destinationSecret(ports.signingKey, own),
    /** Sends a test to a project's own destination, once. */
    async test(own: OwnedDestination, id: string) {
      const destination = ownedDestination(own, { signingKey: ports.signingKey, settings: settings() });
      return await sendTest(destination, sendPorts, id);
    },
    async close() {
      clearInterval(timer);
      await keeper.close();
    },
  };
}

/** Sends a test to a destination, once. */
export async function sendTest(destination: Destination, sendPorts: SendPorts, id = newId()) {
  const message = { id, body: JSON.stringify(testMessage(destination.name, new Date(sendPorts.now()))) };
  return { ...message, ...(await send(message, destination, sendPorts)) };
}

type AlertSend = ConstructorParameters<typeof AlertKeeper>[0]["send"];

/** Creates the ways out: an HTTP client of its own for each message, since they are rare. */
export function createSendPorts(settings: () => AlertSettings): SendPorts {
  return {
    async post({ url, headers, body, mayBePrivate, deadlineMs }) {
      const client = createWebhookClient({ url, deadlineMs }, mayBePrivate ? undefined : publicLookup);
      try {
        return (await client.post({ headers, body }, AbortSignal.timeout(deadlineMs))).status;
      } finally {
        void client.close();
      }
    },
    mail: sendMail,
    smtp: () => settings().smtp,
    now: Date.now,
  };
}
