import { type ImproveStore, MOST_CHECKED, MOST_RECORDED, type RecordedCall } from "../../learning/improve/ports.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import { firstIdAt } from "../types/period.ts";
import type { Store } from "../types/store.ts";
import { readAnswer } from "./read-answer.ts";
import { createShadowStore } from "./shadow-store.ts";
import { readWorkload } from "./workload-reads.ts";

/** Requests are taken from so many days. */
const DAYS = 30;
const DAY_MS = 86_400_000;

/** Creates what an improvement reads and writes. */
export function createImproveStore(store: Store): ImproveStore {
  return {
    ...createShadowStore(store),
    readAnswer: (inferenceId, projectId) => readAnswer(store, inferenceId, projectId),
    async readRecorded(key, most) {
      const untried = getCalls(store, key).where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("ShadowTrial")
              .select("ShadowTrial.id")
              .whereRef("ShadowTrial.inferenceId", "=", "Inference.id")
              .where("ShadowTrial.kind", "=", "trial"),
          ),
        ),
      );
      return (await untried.limit(most).execute()) satisfies readonly RecordedCall[];
    },
    async readUngraded(key, most) {
      const calls = await ungradedOf(store, key).where("Inference.id", "in", ratedOf(store, key)).limit(most).execute();
      if (calls.length === 0) return [];
      const ids = calls.map(({ inferenceId }) => inferenceId);
      const entries = await getEntries(store).where("FeedbackEntry.inferenceId", "in", ids).orderBy("id").execute();
      const byCall = Map.groupBy(entries, ({ inferenceId }) => inferenceId);
      return calls.map((call) => ({ ...call, values: firstOfEach(byCall.get(call.inferenceId) ?? []) }));
    },
    readSilent: (key, most) =>
      ungradedOf(store, key)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("FeedbackEntry")
                .select("FeedbackEntry.id")
                .whereRef("FeedbackEntry.inferenceId", "=", "Inference.id"),
            ),
          ),
        )
        .limit(most)
        .execute(),
    async readScales(key) {
      return (await readWorkload(store, key))?.learned;
    },
  };
}

/** The records of a workload before an improvement. */
export interface RecordedFacts {
  /** Recorded requests that others can be asked for, up to the most that are considered. */
  readonly recorded: number;
  /** Rated answers that no judge has graded, up to the most that are. */
  readonly rated: number;
  /** Answers of other models that people have judged blind. */
  readonly reviewed: number;
  /** The mean of the latest ones, rounded up; undefined where nothing is recorded. */
  readonly tokens: { readonly input: number; readonly output: number } | undefined;
}

const MOST_MEASURED = 200;

/** Reads what is on record of a workload. */
export async function readRecordedFacts(store: Store, key: WorkloadKey): Promise<RecordedFacts> {
  const { readRecorded, readUngraded } = createImproveStore(store);
  const [recorded, rated] = [await readRecorded(key, MOST_RECORDED), await readUngraded(key, MOST_CHECKED)];
  const latest = getCalls(store, key)
    .select(["Inference.inputTokens", "Inference.outputTokens"])
    .select(["Inference.cacheReadTokens", "Inference.cacheWriteTokens"]);
  const rows = await latest.limit(MOST_MEASURED).execute();
  // Prices are of whole tokens.
  const mean = (tokensOf: (row: (typeof rows)[number]) => number) =>
    Math.ceil(rows.reduce((sum, row) => sum + tokensOf(row), 0) / rows.length);
  const tokens = {
    input: mean((row) => (row.inputTokens ?? 0) + (row.cacheReadTokens ?? 0) + (row.cacheWriteTokens ?? 0)),
    output: mean(({ outputTokens }) => outputTokens ?? 0),
  };
  const facts = { recorded: recorded.length, rated: rated.length, reviewed: await countReviewed(store, key) };
  return { ...facts, tokens: rows.length === 0 ? undefined : tokens };
}

async function countReviewed(store: Store, { projectId, model }: WorkloadKey): Promise<number> {
  const verdicts = store
    .query()
    .selectFrom("ShadowTrial")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("projectId", "=", projectId)
    .where("id", ">=", firstIdAt(Date.now() - DAYS * DAY_MS))
    .where("model", "=", model)
    .where("kind", "=", "verdict");
  return Number((await verdicts.executeTakeFirstOrThrow()).count);
}

/** The recorded answers of base of late that have their texts, the latest first. */
function getCalls(store: Store, { projectId, model }: WorkloadKey) {
  const since = firstIdAt(Date.now() - DAYS * DAY_MS);
  return store
    .query()
    .selectFrom("Inference")
    .innerJoin("InferenceBody", "InferenceBody.id", "Inference.id")
    .select(["Inference.id as inferenceId", "Inference.family"])
    .where("Inference.projectId", "=", projectId)
    .where("Inference.id", ">=", since)
    .where("InferenceBody.id", ">=", since)
    .where("Inference.model", "=", model)
    .where("Inference.servedModel", "=", model)
    .where("Inference.status", "=", "completed")
    .where("Inference.family", "<>", "")
    .orderBy("Inference.id", "desc");
}

/** The answers among them without a judge's grade beside what people say. */
function ungradedOf(store: Store, key: WorkloadKey) {
  return getCalls(store, key).where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom("ShadowTrial")
          .select("ShadowTrial.id")
          .whereRef("ShadowTrial.inferenceId", "=", "Inference.id")
          .where("ShadowTrial.kind", "in", ["check", "silent"]),
      ),
    ),
  );
}

/** The answers of a project of late that people said something of. */
function ratedOf(store: Store, { projectId }: WorkloadKey) {
  return getEntries(store)
    .clearSelect()
    .select("FeedbackEntry.inferenceId")
    .where("FeedbackEntry.projectId", "=", projectId)
    .where("FeedbackEntry.id", ">=", firstIdAt(Date.now() - DAYS * DAY_MS));
}

/** Values that are of an answer as it was given. */
function getEntries(store: Store) {
  return store
    .query()
    .selectFrom("FeedbackEntry")
    .select(["FeedbackEntry.inferenceId", "name", "kind", "booleanValue", "floatValue", "optimize"])
    .where("attempt", "is", null)
    .where("sessionId", "is", null)
    .where("kind", "in", ["boolean", "float"]);
}

type Entry = Awaited<ReturnType<ReturnType<typeof getEntries>["execute"]>>[number];

/** The first value of each metric counts. */
function firstOfEach(entries: readonly Entry[]) {
  const first = new Map<string, Entry>();
  for (const entry of entries) if (!first.has(entry.name)) first.set(entry.name, entry);
  return [...first.values()].map(({ name, kind, booleanValue, floatValue, optimize = null }) => ({
    name,
    value: kind === "boolean" ? booleanValue === true : (floatValue ?? 0),
    optimize,
  }));
}
