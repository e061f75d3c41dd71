import { ErrorReason, InferenceError } from "../hub/error.ts";
import {
  type DatasetRun,
  type DatasetRuns,
  estimateRun,
  MOST_TIMES_DEARER,
  type PlannedRun,
  type RunEstimate,
  type RunRequest,
} from "../store/dashboard/dataset-runs.ts";
import type { DatasetPlace } from "../store/dashboard/datasets.ts";
import type { ControlDefaults, Learned } from "../store/dashboard/learned.ts";
import { conflict, notFound } from "./checks.ts";

/** Most requests of a run, and how many it has if nobody says. */
export const MOST_REQUESTS = 1000;
export const USUAL_REQUESTS = 100;

/** The parts that operations on runs work with. */
export interface RunPorts {
  readonly store: { readonly datasetRuns: DatasetRuns; readonly learned: Learned };
  readonly learning: { readonly models: readonly string[]; readonly defaults: ControlDefaults };
  readonly datasetRuns: RunnerPorts;
}

/** The runs of datasets that this process makes. */
export interface RunnerPorts {
  /** True if one more may begin. */
  readonly hasRoom: boolean;
  /** Begins a run that is in the store. */
  readonly begin: (run: PlannedRun) => void;
  /** Breaks a run off, where this process makes it. */
  readonly cancel: (id: string) => void;
  /** Returns whether a project keeps its texts: an answer is kept as a text too. */
  readonly keepsTexts: (projectId: string) => boolean;
  /** Returns whether a project may call a model. */
  readonly mayCall: (projectId: string, model: string) => boolean;
  /** Returns what tokens cost at a model, in nano-USD; undefined where it has no price. */
  readonly priceOf: (model: string, tokens: { readonly input: number; readonly output: number }) => number | undefined;
}

/** A run as it is asked for. */
interface WantedRun extends DatasetPlace {
  readonly models: readonly [string, string];
  readonly most: number;
  /** The model that grades answers; that of each request's workload if absent. */
  readonly judge?: string | undefined;
}

/** Reads a run. Throws NOT_FOUND. */
export async function readRun(runs: DatasetRuns, place: DatasetPlace): Promise<DatasetRun> {
  const run = await runs.read(place);
  if (run === undefined) throw notFound("id", "run");
  return run;
}

/** Finds the run whose scores a replay of a dataset gets: the latest that has ended. Throws CONFLICT. */
export async function readScoredRun(runs: DatasetRuns, place: DatasetPlace): Promise<DatasetRun> {
  const run = (await runs.list(place)).find(({ state }) => state !== "running");
  if (run === undefined) throw conflict("form", "rows of a replay have scores of two models: run the dataset first");
  return run;
}

/** Finds the requests of a run with the judges of their workloads, and its cost. Throws INVALID_REQUEST. */
export async function planRun(
  { store, learning, datasetRuns }: RunPorts,
  { projectId, id, models, most, judge: wanted }: WantedRun,
): Promise<{ readonly requests: readonly RunRequest[]; readonly estimate: RunEstimate }> {
  const named = [...models.map((name, at) => [`models.${at}`, name] as const), ["judge", wanted] as const];
  for (const [place, name] of named) {
    if (name === undefined || (learning.models.includes(name) && datasetRuns.mayCall(projectId, name))) continue;
    throw InferenceError.invalid(place, "isn't a model that this project may call");
  }
  const recorded = await store.datasetRuns.requests({ projectId, id }, most);
  const controls = await store.learned.controls(projectId, learning.defaults);
  const requests = recorded.map((request) => {
    const { judge: own, rubric } = controls.of(request.model).resolved.shadow;
    const judge = wanted ?? own;
    return { ...request, judge: judge === undefined ? undefined : { model: judge, rubric } };
  });
  return { requests, estimate: estimateRun(models, requests, datasetRuns.priceOf) };
}

/**
 * Starts a run that costs no more than was confirmed, and returns its id. Throws INVALID_REQUEST, NOT_FOUND and
 * CONFLICT.
 */
export async function startRun(
  ports: RunPorts,
  { confirmedNanos, ...wanted }: WantedRun & { readonly confirmedNanos: number | null },
): Promise<{ readonly id: string }> {
  const { store, datasetRuns } = ports;
  const { projectId, id, models } = wanted;
  const { requests, estimate } = await planRun(ports, wanted);
  if (requests.length === 0) throw refuse("the dataset has no request whose texts are stored");
  if (!datasetRuns.keepsTexts(projectId)) throw refuse("the project keeps no texts, and a run keeps its answers");
  if (!datasetRuns.hasRoom) throw refuse("too many runs are under way: try again later");
  if (estimate.nanos !== null && (confirmedNanos === null || estimate.nanos > confirmedNanos)) {
    throw refuse("the run costs more than was confirmed: look at its cost again");
  }
  const run = { models, requests: requests.length, estimatedNanos: estimate.nanos };
  const created = await store.datasetRuns.create({ projectId, id }, run);
  if (created === undefined) throw notFound("id", "dataset");
  if (created === "busy") throw refuse("a run of this project is under way: wait for its end, or cancel it");
  const mostNanos = estimate.nanos === null ? undefined : Math.ceil(MOST_TIMES_DEARER * estimate.nanos);
  datasetRuns.begin({ id: created, projectId, models, requests, mostNanos });
  return { id: created };
}

/** Breaks a run off; its answers so far stay. Throws NOT_FOUND. */
export async function cancelRun({ store, datasetRuns }: RunPorts, place: DatasetPlace): Promise<void> {
  if (!(await store.datasetRuns.cancel(place))) throw notFound("id", "run under way");
  datasetRuns.cancel(place.id);
}

function refuse(message: string): InferenceError {
  return new InferenceError(ErrorReason.CONFLICT, message);
}
