import { OtherVersionError, SnapshotError } from "../bandit/snapshot.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";
import { type HistoryEvent, keyText, type LearningStep, type StoredState } from "../ports.ts";
import type { WorkloadControls, WorkloadKey } from "../workload.ts";
import { hasForm } from "./adapt-snapshot.ts";
import { indexRules } from "./metric-settings.ts";
import { type Priors, transferPriors } from "./priors.ts";
import { SelectionMemory } from "./selection-memory.ts";
import { type ArmOptions, createShape, pickForm } from "./state-shape.ts";
import { WorkloadModel } from "./workload-model.ts";

/** Numbers that the states in memory may have together: 128 MB. */
export const MOST_NUMBERS = 16_000_000;
/**
 * A version of Attune that has learned of a workload so lately still does: another one that took over would have both
 * begin anew by turns.
 */
const STAND_ASIDE_MS = 600_000;
/** Workloads of a project that a new one learns from. */
const NEIGHBOURS = 20;

/** The options of workload models. */
export interface WorkloadModelsOptions extends ArmOptions {
  readonly priors: Priors;
  readonly controlsOf: (key: WorkloadKey) => WorkloadControls;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The workloads that the learner has in memory. What is there may be behind the database, which then goes before it.
 */
export class WorkloadModels {
  readonly #options: WorkloadModelsOptions;
  /** The one that was used last is at the end. */
  readonly #kept = new Map<string, WorkloadModel>();

  constructor(options: WorkloadModelsOptions) {
    this.#options = options;
  }

  /**
   * Returns the workloads of today's models as they are in the database, by `keyText`; those that are new begin here.
   * Throws an OtherVersionError where another version of Attune learns of one of them.
   */
  async take(keys: readonly WorkloadKey[], step: LearningStep, history: HistoryEvent[]) {
    const known = keys.filter(({ model }) => this.#options.arms.includes(model));
    const retained = known.filter((key) => this.#kept.has(keyText(key)));
    const versions = retained.length === 0 ? undefined : await step.readVersions(retained);
    const isFresh = (key: WorkloadKey) => {
      const memory = this.#kept.get(keyText(key));
      return memory !== undefined && versions?.get(keyText(key)) === memory.version && this.#fits(memory);
    };
    const stale = known.filter((key) => !isFresh(key));
    const stored = stale.length === 0 ? [] : await step.readStates(stale);
    const byKey = new Map(stored.map((state) => [keyText(state.key), state]));
    for (const key of stale)
      this.#kept.set(keyText(key), await this.#open(key, byKey.get(keyText(key)), step, history));
    const taken = new Map<string, WorkloadModel>();
    for (const key of known) {
      const memory = this.#kept.get(keyText(key));
      if (memory === undefined) continue;
      const { metrics, excluded, mode } = this.#options.controlsOf(key);
      memory.rules = indexRules(metrics);
      memory.excluded = excluded;
      memory.mode = mode;
      taken.set(keyText(key), memory);
      this.#kept.delete(keyText(key));
      this.#kept.set(keyText(key), memory);
    }
    return taken;
  }

  /**
   * Has a workload learn of the choice among candidates, if it does not yet; it begins with what the project's others
   * have learned of that.
   */
  async beginSelection(memory: WorkloadModel, step: LearningStep): Promise<void> {
    if (memory.selection !== undefined) return;
    const others = await this.#peers(memory.key, step);
    memory.selection = SelectionMemory.begin(others.flatMap(({ selection }) => selection?.selector.beliefs ?? []));
  }

  /** Gives up what is in memory: it was changed, and what was changed is not in the database. */
  drop(): void {
    this.#kept.clear();
  }

  /** Gives up the workloads that were used least recently, where all together are too large. */
  trim(): void {
    let numbers = 0;
    for (const [text, memory] of [...this.#kept].reverse()) {
      numbers += estimateSize(memory.state, [...memory.familySplits].length);
      if (numbers > MOST_NUMBERS) this.#kept.delete(text);
    }
  }

  #fits({ key, state }: WorkloadModel): boolean {
    return hasForm(state, pickForm(this.#options.controlsOf(key)));
  }

  async #open(key: WorkloadKey, stored: StoredState | undefined, step: LearningStep, history: HistoryEvent[]) {
    const { controlsOf, priors, now = Date.now } = this.#options;
    const shape = createShape(key, this.#options, controlsOf(key));
    const { snapshot, version = 0 } = stored ?? {};
    const restored = snapshot === undefined ? undefined : tryRestore(key, { snapshot, version }, this.#options);
    if (restored instanceof WorkloadModel) return restored;
    const ageMs = now() - (stored?.updatedAtMs ?? Number.NEGATIVE_INFINITY);
    if (restored instanceof OtherVersionError && ageMs < STAND_ASIDE_MS) throw restored;
    if (restored !== undefined) history.push({ key, kind: "unreadable", detail: { why: restored.message } });
    const others = (await this.#peers(key, step)).map(({ state }) => state);
    const beliefs = transferPriors(key.model, others, priors);
    history.push({ key, kind: "begun", detail: { priors: beliefs } });
    return WorkloadModel.begin(key, shape, beliefs, version);
  }

  async #peers(key: WorkloadKey, step: LearningStep): Promise<readonly WorkloadModel[]> {
    return (await step.readNeighbours(key, NEIGHBOURS)).flatMap(({ key: other, snapshot, version }) => {
      const memory = snapshot === undefined ? undefined : tryRestore(other, { snapshot, version }, this.#options);
      return memory instanceof WorkloadModel ? [memory] : [];
    });
  }
}

/**
 * Restores a workload; returns why that cannot be done, where it is not of this version, or its base is served no more.
 */
export function tryRestore(
  key: WorkloadKey,
  stored: { readonly snapshot: string; readonly version: number },
  options: ArmOptions & Pick<WorkloadModelsOptions, "controlsOf">,
): WorkloadModel | Error {
  if (!options.arms.includes(key.model)) return new Error("the catalog does not have its base any more");
  try {
    return WorkloadModel.restore(key, createShape(key, options, options.controlsOf(key)), stored);
  } catch (error) {
    if (error instanceof SnapshotError || error instanceof SyntaxError) return error;
    throw error;
  }
}

/** Numbers that the clusters of a family take. */
const OF_CLUSTERS = 8000;

/** Numbers of a family and an arm, of a family, of an arm, and what a state has beside them. */
const NUMBERS_OF = { cell: 5, family: 32, arm: 32, state: 2400 } as const;

/** About how many numbers a state has, with the clusters of so many families. */
export function estimateSize({ counts, requests, arms }: WorkloadState, divisions: number): number {
  const { cell, family, arm, state } = NUMBERS_OF;
  return state + counts.length * cell + requests.length * family + arms.length * arm + divisions * OF_CLUSTERS;
}
