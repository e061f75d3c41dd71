import { type InferEntity, LockMode } from "@mikro-orm/core";
import { SILENT_MS } from "../../learning/dataset-runs/dataset-runner.ts";
import type { RunAnswer, RunRequest, RunState } from "../../learning/dataset-runs/ports.ts";
import type { CountedAnswer } from "../../learning/dataset-runs/sum-run.ts";
import { newId } from "../../lib/ids.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { readClock } from "../database/clock.ts";
import { Dataset as DatasetEntity } from "../entities/dataset.ts";
import { type DatasetAnswer, type DatasetRunRow, DatasetRun as RunEntity } from "../entities/dataset-run.ts";
import { Project } from "../entities/project.ts";
import type { Store } from "../types/store.ts";
import type { DatasetPlace } from "./datasets.ts";

export { estimateRun, MOST_TIMES_DEARER, type RunEstimate } from "../../learning/dataset-runs/estimate-run.ts";
export type { PlannedRun, RunRequest } from "../../learning/dataset-runs/ports.ts";
export { type CountedAnswer as StoredScore, getScore, sumRun } from "../../learning/dataset-runs/sum-run.ts";

/** A run of a dataset. */
export interface DatasetRun {
  readonly id: string;
  readonly models: readonly [first: string, second: string];
  /** Requests that are asked. */
  readonly requests: number;
  readonly estimatedNanos: number | null;
  readonly state: RunState;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** A run of a project. */
interface RunPlace {
  readonly projectId: string;
  readonly id: string;
}

/** A recorded request, without the judge of its workload. */
type RecordedRequest = Omit<RunRequest, "judge">;

/** A request of a run with its answers. */
interface RunPair {
  readonly inferenceId: string;
  /** The first words of the prompt and of the answer that was given; empty where they are gone. */
  readonly prompt: string;
  readonly recordedAnswer: string;
  readonly recordedModel: string;
  /** By their sides, with the beginnings of their texts; these are empty where they are gone. */
  readonly answers: readonly Omit<RunAnswer, "id">[];
}

/** The runs of datasets. */
export interface DatasetRuns {
  /** Reads the newest requests of a dataset whose texts are stored. */
  requests(place: DatasetPlace, most: number): Promise<RecordedRequest[]>;
  /** Reads those of a dataset, the newest first. */
  list(place: DatasetPlace): Promise<DatasetRun[]>;
  /** Resolves to the id; to `busy` where a run of the project is under way, to undefined without such a dataset. */
  create(place: DatasetPlace, run: NewRun): Promise<string | "busy" | undefined>;
  /** Reads one; undefined where the project has none of this id. */
  read(place: RunPlace): Promise<DatasetRun | undefined>;
  /** Reads all answers of a run, without texts. */
  answers(runId: string): Promise<CountedAnswer[]>;
  /** Reads the requests after another one, the newest first, with their answers. */
  page(runId: string, query: PageOfRun): Promise<RunPair[]>;
  /** Asks for its end. Resolves to whether it was under way. */
  cancel(place: RunPlace): Promise<boolean>;
}

/** A page of the answers of a run. */
interface PageOfRun {
  /** The last request of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** A run to be made. */
type NewRun = Pick<DatasetRun, "models" | "requests" | "estimatedNanos">;

/** Runs that are kept of a dataset: older ones go where another one begins. */
const MOST_RUNS = 20;

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Creates the runs of datasets of a database. */
export function createDatasetRuns(store: Store): DatasetRuns {
  return {
    requests: (place, most) => readRequests(store, place, most),
    async list({ projectId, id }) {
      const orderBy = { id: "desc" } as const;
      const rows = await store.fork().find(RunEntity, { projectId, dataset: id }, { orderBy, limit: MOST_RUNS });
      const nowMs = await readClock(store);
      return rows.map((row) => toRun(row, nowMs));
    },
    create: async (place, run) => await createRun(store, await readClock(store), { place, run }),
    async read({ projectId, id }) {
      const row = await store.fork().findOne(RunEntity, { projectId, id });
      return row === null ? undefined : toRun(row, await readClock(store));
    },
    async answers(runId) {
      const rows = store.query().selectFrom("DatasetAnswer").select(COUNTED).where("run", "=", runId);
      return (await rows.orderBy("id").execute()).map(toCounted);
    },
    page: (runId, query) => readPage(store, runId, query),
    async cancel(place) {
      const nowMs = await readClock(store);
      return await store.unitOfWork(async (em) => {
        const { projectId, id } = place;
        const run = await em.findOne(RunEntity, { projectId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
        if (run === null || getState(run, nowMs) !== "running") return false;
        run.cancelRequested = true;
        const target = { kind: "dataset run", id, name: getName([run.firstModel, run.secondModel]) };
        appendAuditEntry(em, {
          ...store.origin,
          projectId,
          action: "datasetRuns.cancel",
          target,
          before: { state: "running" },
          after: { state: "cancelled" },
        });
        return true;
      });
    },
  };
}

const COUNTED = [
  ...(["inferenceId", "side", "outcome", "inputTokens", "outputTokens", "costNanos"] as const),
  ...(["gradeNanos", "latencyMs", "failedChecks", "isGood"] as const),
];

async function readRequests(store: Store, { projectId, id }: DatasetPlace, most: number): Promise<RecordedRequest[]> {
  const rows = await store
    .query()
    .selectFrom("DatasetRow")
    .innerJoin("Inference", "Inference.id", "DatasetRow.inferenceId")
    .innerJoin("InferenceBody", "InferenceBody.id", "DatasetRow.inferenceId")
    .select(["Inference.id", "Inference.model", "Inference.family", "Inference.outputTokens", "Inference.inputTokens"])
    .select(["Inference.cacheReadTokens", "Inference.cacheWriteTokens"])
    .where("DatasetRow.dataset", "=", id)
    .where("Inference.projectId", "=", projectId)
    .orderBy("DatasetRow.inferenceId", "desc")
    .limit(most)
    .execute();
  return rows.map(({ id: inferenceId, model, family, inputTokens, outputTokens, ...cached }) => ({
    inferenceId,
    model,
    family,
    outputTokens: outputTokens ?? null,
    inputTokens:
      inputTokens == null ? null : inputTokens + (cached.cacheReadTokens ?? 0) + (cached.cacheWriteTokens ?? 0),
  }));
}

interface RunToCreate {
  readonly place: DatasetPlace;
  readonly run: NewRun;
}

async function createRun(store: Store, nowMs: number, { place, run }: RunToCreate) {
  const { projectId, id: datasetId } = place;
  return await store.unitOfWork(async (em) => {
    // One at a time for each project: two cannot both find that none is under way.
    await em.findOne(Project, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const dataset = await em.findOne(DatasetEntity, { project: projectId, id: datasetId });
    if (dataset === null) return undefined;
    const running = await em.find(RunEntity, { projectId, state: "running" });
    if (running.some((known) => getState(known, nowMs) === "running")) return "busy" as const;
    const id = newId();
    const { models, requests, estimatedNanos } = run;
    const [firstModel, secondModel] = models;
    const at = new Date(nowMs);
    em.create(RunEntity, {
      id,
      dataset,
      projectId,
      firstModel,
      secondModel,
      requests,
      estimatedNanos,
      state: "running",
      cancelRequested: false,
      createdBy: store.origin.actor.label,
      createdAt: at,
      beatAt: at,
      endedAt: null,
    });
    const earlier = await em.find(RunEntity, { dataset: datasetId }, { orderBy: { id: "desc" } });
    for (const older of earlier.slice(MOST_RUNS - 1)) em.remove(older);
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "datasetRuns.start",
      target: { kind: "dataset run", id, name: getName(models) },
      before: null,
      after: { dataset: dataset.name, models, requests, estimatedNanos },
    });
    return id;
  });
}

async function readPage(store: Store, runId: string, { cursor = LAST_ID, limit }: PageOfRun): Promise<RunPair[]> {
  const tables = store.query();
  const page = tables.selectFrom("DatasetAnswer").select("inferenceId").distinct().where("run", "=", runId);
  const pageIds = page.where("inferenceId", "<", cursor).orderBy("inferenceId", "desc").limit(limit);
  const ids = (await pageIds.execute()).map(({ inferenceId }) => inferenceId);
  if (ids.length === 0) return [];
  const ofPage = tables
    .selectFrom("DatasetAnswer")
    .leftJoin("DatasetAnswerText", "DatasetAnswerText.answer", "DatasetAnswer.id");
  const answers = await ofPage
    .select(COUNTED.map((column) => `DatasetAnswer.${column}` as const))
    .select(["problem", "text"])
    .where("run", "=", runId)
    .where("DatasetAnswer.inferenceId", "in", ids)
    .orderBy("side")
    .execute();
  const recorded = await tables
    .selectFrom("Inference")
    // PostgreSQL looks only at the partitions whose ids a table is told itself.
    .leftJoin("InferenceBody", (join) =>
      join.onRef("InferenceBody.id", "=", "Inference.id").on("InferenceBody.id", "in", ids),
    )
    .select(["Inference.id", "model", "servedModel", "prompt", "answer"])
    .where("Inference.id", "in", ids)
    .execute();
  return ids.map((inferenceId) => {
    const found = recorded.find(({ id }) => id === inferenceId);
    return {
      inferenceId,
      prompt: found?.prompt ?? "",
      recordedAnswer: found?.answer ?? "",
      recordedModel: found?.servedModel || found?.model || "",
      answers: answers
        .filter((answer) => answer.inferenceId === inferenceId)
        .map(({ problem, text, ...row }) => ({ ...toCounted(row), problem: problem ?? null, text: text ?? "" })),
    };
  });
}

type CountedRow = Pick<InferEntity<typeof DatasetAnswer>, (typeof COUNTED)[number]>;

function toCounted({ failedChecks, ...row }: CountedRow): CountedAnswer {
  const { costNanos = null, gradeNanos = null, latencyMs = null, isGood = null } = row;
  const failed = failedChecks == null ? null : failedChecks.split(" ").filter((name) => name !== "");
  return { ...row, costNanos, gradeNanos, latencyMs, isGood, failedChecks: failed };
}

/** A run that nobody has said of for a while that it goes on has ended with its process. */
function getState({ state, beatAt }: Pick<DatasetRunRow, "state" | "beatAt">, nowMs: number): RunState {
  return state === "running" && nowMs - beatAt.getTime() > SILENT_MS ? "interrupted" : state;
}

function toRun(row: DatasetRunRow, nowMs: number): DatasetRun {
  const { id, firstModel, secondModel, requests, estimatedNanos = null, createdBy, createdAt, endedAt = null } = row;
  const state = getState(row, nowMs);
  return { id, models: [firstModel, secondModel], requests, estimatedNanos, state, createdBy, createdAt, endedAt };
}

function getName([first, second]: readonly [string, string]): string {
  return `${first} and ${second}`;
}
