import { isAlertKind } from "../../alerts/kinds.ts";
import type { AlertStore, DestinationKind, LearningFact, OwnedDestination } from "../../alerts/ports.ts";
import type { OwnedRule } from "../../alerts/rules.ts";
import { newId } from "../../lib/ids.ts";
import type { DashboardReads } from "../dashboard/reads/reads.ts";
import { AlertDestination, type AlertDestinationRow, AlertRule, type AlertRuleRow } from "../entities/alert.ts";
import { Project } from "../entities/project.ts";
import { firstIdAt } from "../types/period.ts";
import type { Store } from "../types/store.ts";
import { acquireAlertLease, releaseAlertLease } from "./alert-lease.ts";
import { CallSamples } from "./call-samples.ts";
import { deleteOldAlerts, enqueueAuditEntries, finishDelivery, takeDueDeliveries } from "./deliveries.ts";
import { areCallCountsFew, readCallCounts } from "./read-call-counts.ts";
import { readSignals, writeSignals } from "./signals.ts";
import { changeAlerts, readOpenAlerts, readUnsentAlerts, tellAlerts } from "./write-alerts.ts";

/** Most events that are looked at. */
const MOST_EVENTS = 5000;

/**
 * Reads the workloads that have drifted, whose regret budget is exhausted, or whose metrics have more names than are
 * learned from, since a time.
 */
async function readLearningFacts(store: Store, sinceMs: number): Promise<LearningFact[]> {
  const rows = await store
    .query()
    .selectFrom("WorkloadEvent")
    .select(["projectId", "model", "kind"])
    .where("id", ">=", firstIdAt(sinceMs))
    .where("kind", "in", ["drift", "metrics-full", "closed", "reopened", "reset"])
    .orderBy("id", "desc")
    .limit(MOST_EVENTS)
    .execute();
  const facts = new Map<string, LearningFact>();
  /** Workloads whose budget has a later event. */
  const decided = new Set<string>();
  for (const { projectId, model, kind } of rows) {
    const workload = `${projectId} ${model}`;
    if (kind === "drift") facts.set(`drift ${workload}`, { kind: "drift", projectId, model });
    else if (kind === "metrics-full") {
      facts.set(`crowded ${workload}`, { kind: "crowded-metrics", projectId, model });
    } else {
      if (kind === "closed" && !decided.has(workload)) {
        facts.set(`regret ${workload}`, { kind: "regret-budget", projectId, model });
      }
      decided.add(workload);
    }
  }
  return [...facts.values()];
}

/** Most rules and destinations of projects that are read. */
const MOST = 10_000;

/** Creates the store of alerts of one process. */
export function createAlertStore(
  store: Store,
  { reads, process = newId() }: { readonly reads: Pick<DashboardReads, "readCallCounts">; readonly process?: string },
): AlertStore {
  const samples = new CallSamples();
  return {
    acquire: (leaseMs) => acquireAlertLease(store, process, leaseMs),
    release: () => releaseAlertLease(store, process),
    async readRules() {
      return (await store.fork().find(AlertRule, {}, { limit: MOST })).flatMap(toRule);
    },
    async readDestinations(projectIds) {
      const filter = projectIds === undefined ? {} : { projectId: { $in: [...projectIds] } };
      return (await store.fork().find(AlertDestination, filter, { limit: MOST })).map(toDestination);
    },
    async readProjectNames(ids) {
      const projects = await store.fork().find(Project, { id: { $in: [...ids] } });
      return new Map(projects.map(({ id, name }) => [id, name]));
    },
    async sampleCalls(nowMs) {
      // The thread of the reads holds 60 MiB from its first task on, and few services need it for this.
      const isQuick = await areCallCountsFew(store, nowMs);
      samples.add(await (isQuick ? readCallCounts(store, nowMs) : reads.readCallCounts(nowMs)), nowMs);
      return samples;
    },
    readLearning: (sinceMs) => readLearningFacts(store, sinceMs),
    writeSignals: (changed) => writeSignals(store, process, changed),
    readSignals: () => readSignals(store),
    readOpen: () => readOpenAlerts(store),
    change: (changes) => changeAlerts(store, changes),
    async record(alert) {
      await store
        .query()
        .insertInto("Alert")
        .values({ ...alert, openKey: null, isUntold: false })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute();
    },
    readUntold: (limit) => readUnsentAlerts(store, limit),
    tell: (alerts, deliveries) => tellAlerts(store, alerts, deliveries),
    takeDue: (limit) => takeDueDeliveries(store, limit),
    finish: (id, outcome) => finishDelivery(store, id, outcome),
    enqueueAudit: (destination, limit) => enqueueAuditEntries(store, destination, limit),
    deleteOld: () => deleteOldAlerts(store),
  };
}

/** Leaves out kinds of a later version. */
export function toRule({ kind, updatedAt: _, ...row }: AlertRuleRow): OwnedRule[] {
  return isAlertKind(kind) ? [{ ...row, kind, scope: "project" }] : [];
}

/** Returns a destination as it is stored. */
export function toDestination({ createdAt: _, kind, ...row }: AlertDestinationRow): OwnedDestination {
  return { ...row, kind: kind as DestinationKind };
}
