import type { LearningFact } from "../../alerts/ports.ts";
import { firstIdAt } from "../types/period.ts";
import type { Store } from "../types/store.ts";

/** Most events that are looked at. */
const MOST = 5000;

/**
 * Reads the workloads that have drifted, whose regret budget is exhausted, or whose metrics have more names than are
 * learned from, since a time.
 */
export async function readLearningFacts(store: Store, sinceMs: number): Promise<LearningFact[]> {
  const rows = await store
    .query()
    .selectFrom("WorkloadEvent")
    .select(["projectId", "model", "kind"])
    .where("id", ">=", firstIdAt(sinceMs))
    .where("kind", "in", ["drift", "metrics-full", "closed", "reopened", "reset"])
    .orderBy("id", "desc")
    .limit(MOST)
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
