import { PendingDecisions } from "../bandit/pending-decisions.ts";
import type { ControlTable } from "../controls.ts";
import { keyText, type StoredState } from "../ports.ts";
import type { LearnedWorkload, WorkloadCachePort, WorkloadControls, WorkloadKey } from "../workload.ts";
import { hasForm } from "./adapt-snapshot.ts";
import { learnedWithinMs } from "./delay.ts";
import { collectClusters } from "./known-clusters.ts";
import type { Priors } from "./priors.ts";
import { type ArmOptions, createShape, pickForm } from "./state-shape.ts";
import { WorkloadModel } from "./workload-model.ts";
import { estimateSize, MOST_NUMBERS, tryRestore } from "./workload-models.ts";

/** The store that the workload cache reads. */
export interface BookStore {
  readVersions(keys: readonly WorkloadKey[]): Promise<ReadonlyMap<string, number>>;
  readStates(keys: readonly WorkloadKey[]): Promise<StoredState[]>;
  /** Reads the workloads that were changed last. */
  readLatest(most: number): Promise<StoredState[]>;
}

/** The options of the workload cache. */
interface BookOptions extends ArmOptions {
  readonly store: BookStore;
  readonly controls: ControlTable;
  readonly priors: Priors;
}

/** Workloads that are read when the process begins. */
const READ_AT_FIRST = 200;
const MOST_WORKLOADS = 2000;
/** Numbers that the states of those may have together that are not read yet: 32 MB. */
const MOST_UNREAD_NUMBERS = 4_000_000;
/** Workloads that are read at once. */
const READ_AT_ONCE = 50;

/**
 * The workloads as this process knows them. One that it does not know yet is read while requests on it are served as
 * those of a new one; the ones that were not asked for longest are forgotten, and read again.
 */
export class WorkloadCache implements WorkloadCachePort {
  readonly #options: BookOptions;
  /** The one that was asked for last is at the end. */
  readonly #known = new Map<string, LearnedWorkload>();
  readonly #wanted = new Map<string, WorkloadKey>();
  /** The oldest is the first. */
  readonly #unread = new Map<string, LearnedWorkload>();
  #numbers = 0;
  #unreadNumbers = 0;
  #reading: Promise<void> | undefined;

  constructor(options: BookOptions) {
    this.#options = options;
  }

  find(key: WorkloadKey): LearnedWorkload | undefined {
    const controls = this.#options.controls.of(key);
    if (controls.mode === "off" || !this.#options.arms.includes(key.model)) return undefined;
    const text = keyText(key);
    const known = this.#known.get(text);
    if (known === undefined) {
      this.#want(key);
      return this.#asNew(key, controls);
    }
    this.#known.delete(text);
    const current = known.controls === controls ? known : { ...known, controls };
    this.#known.set(text, current);
    return current;
  }

  /** Reads what is asked for most likely. */
  async open(): Promise<void> {
    for (const stored of (await this.#options.store.readLatest(READ_AT_FIRST)).reverse()) this.#take(stored);
  }

  /**
   * Reads again what has changed in the database, and what is to be of another form by now. Rejects if it cannot be
   * read.
   */
  async refresh(): Promise<void> {
    const known = [...this.#known.values()];
    const keys = known.map(({ key }) => key);
    const versions = keys.length === 0 ? new Map<string, number>() : await this.#options.store.readVersions(keys);
    for (const { key, version, state, pendingDecisions } of known) {
      const hasItsForm = hasForm(state, pickForm(this.#options.controls.of(key)));
      if (hasItsForm && (versions.get(keyText(key)) ?? 0) === version) pendingDecisions.confirm();
      else this.#wanted.set(keyText(key), key);
    }
    await this.#read();
  }

  /** Returns a workload that is not read yet as if it were new: its answers are on record, so that feedback counts. */
  #asNew(key: WorkloadKey, controls: WorkloadControls): LearnedWorkload {
    const text = keyText(key);
    const known = this.#unread.get(text);
    if (known?.controls === controls) return known;
    const memory = WorkloadModel.begin(key, createShape(key, this.#options, controls), this.#options.priors);
    const begun = { ...toLearned(memory, controls, new PendingDecisions()), isUnread: true } as const;
    this.#dropUnread(text);
    this.#unread.set(text, begun);
    this.#unreadNumbers += estimateSize(begun.state, 0);
    for (const oldest of this.#unread.keys()) {
      if (this.#unreadNumbers <= MOST_UNREAD_NUMBERS) break;
      if (oldest !== text) this.#dropUnread(oldest);
    }
    return begun;
  }

  #dropUnread(text: string): void {
    const unread = this.#unread.get(text);
    if (unread === undefined) return;
    this.#unread.delete(text);
    this.#unreadNumbers -= estimateSize(unread.state, 0);
  }

  #want(key: WorkloadKey): void {
    if (this.#wanted.size >= MOST_WORKLOADS) return;
    this.#wanted.set(keyText(key), key);
    // What fails now is tried again with the next request.
    this.#read().catch(() => this.#wanted.delete(keyText(key)));
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readWanted().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readWanted(): Promise<void> {
    while (this.#wanted.size > 0) {
      const keys = [...this.#wanted.values()].slice(0, READ_AT_ONCE);
      const stored = await this.#options.store.readStates(keys);
      const found = new Map(stored.map((state) => [keyText(state.key), state]));
      for (const key of keys) {
        this.#wanted.delete(keyText(key));
        this.#take(found.get(keyText(key)) ?? { key, version: 0, snapshot: undefined });
      }
    }
  }

  #take({ key, version, snapshot }: StoredState): void {
    const { controls, priors, ...options } = this.#options;
    const { arms } = options;
    if (!arms.includes(key.model)) return;
    const controlsOf = (of: WorkloadKey) => controls.of(of);
    const restored =
      snapshot === undefined ? undefined : tryRestore(key, { snapshot, version }, { ...options, controlsOf });
    // What cannot be read begins anew, as the learner has it do too.
    const shape = createShape(key, this.#options, controls.of(key));
    const memory = restored instanceof WorkloadModel ? restored : WorkloadModel.begin(key, shape, priors, version);
    const { state, delay, behindMs } = memory;
    const pendingDecisions = this.#known.get(keyText(key))?.pendingDecisions ?? new PendingDecisions();
    pendingDecisions.read(state, learnedWithinMs(delay, behindMs));
    this.#forget(keyText(key));
    this.#dropUnread(keyText(key));
    const learned = toLearned(memory, controls.of(key), pendingDecisions);
    this.#known.set(keyText(key), learned);
    this.#numbers += estimateSize(state, learned.clusters.size);
    for (const text of this.#known.keys()) {
      if (this.#known.size <= MOST_WORKLOADS && this.#numbers <= MOST_NUMBERS) break;
      if (this.#known.size > 1) this.#forget(text);
    }
  }

  #forget(text: string): void {
    const known = this.#known.get(text);
    if (known === undefined) return;
    this.#known.delete(text);
    this.#numbers -= estimateSize(known.state, known.clusters.size);
  }
}

function toLearned(
  { key, state, familySplits, selection, latencies, version }: WorkloadModel,
  controls: WorkloadControls,
  pendingDecisions: PendingDecisions,
): LearnedWorkload {
  const clusters = collectClusters(familySplits);
  return { key, controls, state, clusters, selector: selection?.selector, latencies, pendingDecisions, version };
}
