import { ErrorReason, InferenceError } from "../hub/error.ts";
import { whenAvailable } from "../hub/when-available.ts";
import type { ChangeOrigin } from "../vocabulary/change-origin.ts";
import type { ControlSettings } from "../vocabulary/control-fields.ts";
import { checkCount, mergeOverrides } from "../vocabulary/metric-overrides.ts";
import { settingsToMessage } from "./control-message.ts";
import type { ControlChange, WorkloadDirectory } from "./directory.ts";
import { inspect } from "./learner/inspect.ts";
import { readControlChanges, type Update } from "./update-controls.ts";
import type { WorkloadKey } from "./workload.ts";
import { eventToMessage } from "./workload-event-message.ts";
import { summaryToMessage, workloadToMessage } from "./workload-message.ts";

/** The ports of the operations on workloads. */
export interface WorkloadPorts {
  readonly directory: WorkloadDirectory;
  /** Returns the name of the catalog's model of an id, a name or an alias; undefined if there is none. */
  readonly modelOf: (name: string) => string | undefined;
  /** The prefix of model ids. */
  readonly prefix: string;
}

/** Names that a catalog may have, also one of another time. */
const MODEL_NAME = /^[\x21-\x7e]{1,200}$/;

/** Longer ones name no model; what is told of them has to fit into a header. */
const MAX_ID_LENGTH = 256;

/** The part of a list that a page has. */
interface PagePart {
  readonly size: number;
  /** Empty for the first page. */
  readonly pageToken: string;
}

/** The part of the events of a workload that a page has. */
interface HistoryPart {
  readonly model: string;
  /** 0 where the caller does not say how many. */
  readonly pageSize: number;
  /** Empty for the first page. */
  readonly pageToken: string;
}

/** Events of a page where the caller does not say how many. */
const EVENTS = 50;

interface ControlUpdate extends Update {
  readonly by: ChangeOrigin;
  /** True to leave metrics as they are that the update does not name. */
  readonly mergeMetrics?: boolean;
}

/** The operations on the workloads of projects, for whichever service; models are named by ids. */
export type WorkloadOperations = ReturnType<typeof createWorkloadOperations>;

/** Creates the operations on workloads. They throw InferenceError, UNAVAILABLE where the database does not answer. */
export function createWorkloadOperations({ directory, modelOf, prefix }: WorkloadPorts) {
  const idOf = (name: string) => `${prefix}/${name}`;
  const nameOf = (id: string) => modelOf(id) ?? nameIn(id, prefix);

  function keyOf(projectId: string, id: string): WorkloadKey {
    const model = nameOf(id);
    if (model === undefined) throw unknownModel(id);
    return { projectId, model };
  }

  return {
    /** Lists those of which anything was learned. */
    async list(projectId: string, { size, pageToken }: PagePart) {
      const after = pageToken === "" ? "" : nameOf(pageToken);
      if (after === undefined) {
        throw InferenceError.invalid("page_token", "is not a page token of this service: start again without it");
      }
      // One more than the page has tells whether there is another page.
      const [found, controlsFor] = await allAnswered([
        directory.page(projectId, { after, most: size + 1 }),
        directory.controls(projectId),
      ]);
      const page = found.slice(0, size);
      const last = page.at(-1)?.key.model;
      return {
        workloads: page.map((facts) => summaryToMessage(facts, controlsFor(facts.key.model).resolved, idOf)),
        nextPageToken: found.length > size && last !== undefined ? idOf(last) : "",
      };
    },

    /** Reads what holds for all workloads of a project. */
    async getProject(projectId: string) {
      const [controlsFor] = await allAnswered([directory.controls(projectId)]);
      const nothing = { facts: undefined, learned: undefined, spent: undefined };
      return {
        workload: workloadToMessage({ model: "", said: controlsFor(""), ...nothing }, (model) => model && idOf(model)),
      };
    },

    /** Reads one; MODEL_NOT_FOUND for a model that is not in the catalog, unless something was learned of it. */
    async get(projectId: string, id: string) {
      const key = keyOf(projectId, id);
      const [facts, controlsFor, spent] = await allAnswered([
        directory.read(key),
        directory.controls(projectId),
        directory.spent(key),
      ]);
      if (facts === undefined && modelOf(id) === undefined) throw unknownModel(id);
      const learned =
        facts?.learned === undefined ? undefined : inspect(facts.learned, controlsFor(key.model).resolved.excluded);
      const parts = { model: key.model, said: controlsFor(key.model), facts, learned, spent };
      return { workload: workloadToMessage(parts, idOf) };
    },

    /** Lists events of one, and of all workloads of its project, the latest first; also of a model that is gone. */
    async history(projectId: string, { model, pageSize, pageToken }: HistoryPart) {
      const size = pageSize === 0 ? EVENTS : pageSize;
      const before = pageToken === "" ? {} : { before: pageToken.toLowerCase() };
      const [found] = await allAnswered([directory.history(keyOf(projectId, model), { ...before, most: size + 1 })]);
      const page = found.slice(0, size);
      return {
        events: page.map((event) => eventToMessage(event, idOf)),
        nextPageToken: found.length > size ? (page.at(-1)?.id ?? "") : "",
      };
    },

    /** Changes what is said of a workload, or with an undefined id of all of a project; `checkUpdate` comes before. */
    async update(projectId: string, id: string | undefined, { by, ...update }: ControlUpdate) {
      const model = id === undefined ? "" : modelOf(id);
      if (model === undefined) throw unknownModel(id ?? "");
      const changes = readControlChanges(update, modelOf);
      const change = update.mergeMetrics ? mergeMetricChanges(changes) : changes;
      await allAnswered([directory.setControls({ projectId, model }, change, by)]);
      const [controlsFor] = await allAnswered([directory.controls(projectId)]);
      const { own, ofProject } = controlsFor(model);
      return { controls: settingsToMessage(model === "" ? ofProject : own, idOf) };
    },

    /** Forgets what was learned of one; NOT_FOUND where nothing was. */
    async reset(projectId: string, id: string, by: ChangeOrigin): Promise<void> {
      // Of a model that is gone, its name is what is left.
      const model = nameOf(id) ?? id;
      const [wasReset] = await allAnswered([directory.reset({ projectId, model }, by)]);
      if (!wasReset) throw nothingLearned(id);
    },
  };
}

/** Has metrics that a change does not name keep what is said of them. */
function mergeMetricChanges(changes: Partial<ControlSettings>): ControlChange {
  const { metrics: changed } = changes;
  if (changed === undefined) return changes;
  return (before) => {
    const metrics = mergeOverrides(before.metrics, changed ?? []);
    const problem = checkCount(metrics);
    if (problem !== undefined) throw InferenceError.invalid("controls.metrics", problem);
    return { ...changes, metrics };
  };
}

/** Waits for what the database was asked. Throws UNAVAILABLE where it does not answer. */
async function allAnswered<T extends readonly unknown[]>(
  questions: { readonly [At in keyof T]: Promise<T[At]> },
): Promise<T> {
  const all = Promise.all(questions) as Promise<unknown> as Promise<T>;
  return await whenAvailable(all, "the database cannot be asked for workloads");
}

/** The name in an id; undefined where it is no name that a model can have. */
function nameIn(id: string, prefix: string): string | undefined {
  const name = id.startsWith(`${prefix}/`) ? id.slice(prefix.length + 1) : "";
  return MODEL_NAME.test(name) ? name : undefined;
}

function nothingLearned(id: string): InferenceError {
  return new InferenceError(ErrorReason.NOT_FOUND, `nothing was learned of the workload '${shorten(id)}'`, {
    param: "model",
  });
}

function unknownModel(id: string): InferenceError {
  return new InferenceError(ErrorReason.MODEL_NOT_FOUND, `the model '${shorten(id)}' does not exist`, {
    param: "model",
  });
}

function shorten(id: string): string {
  return id.length > MAX_ID_LENGTH ? `${id.slice(0, MAX_ID_LENGTH).toWellFormed()}…` : id;
}
