import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { PromptClusters } from "../bandit/prompt-clusters.ts";
import { TemplateClusters } from "../bandit/template-clusters.ts";
import { keyText, type LearnerStore, type WholeFamily } from "../ports.ts";
import type { WorkloadModel } from "./workload-model.ts";

/** The options of a cluster finder. */
interface ClusterFinderOptions {
  readonly store: Pick<LearnerStore, "readPrompts">;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Told of what kept clusters from being found. They are looked for again later. */
  readonly onFailure?: (error: unknown) => void;
}

const CLUSTERS = 16;
const MOST_PROMPTS = 600;
/** With fewer prompts there is nothing to group. */
const LEAST_PROMPTS = 100;
/** The delay before prompts are read again where there were too few, for example because requests are not stored. */
const AGAIN_MS = 3_600_000;
const MOST_WAITING = 100;

interface Found {
  readonly family: string;
  readonly generation: number;
  readonly model: string;
}

/** A family that waits for its clusters. */
interface Waiting extends WholeFamily {
  /** True where clusters by its templates were tried last, and lost. */
  readonly areTemplatesTried: boolean;
}

/** Finds clusters of prompts for families that are to be divided, one family at a time, beside the learning itself. */
export class ClusterFinder {
  readonly #options: ClusterFinderOptions;
  readonly #now: () => number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #found = new Map<string, Found[]>();
  /** Families that were looked at of late. */
  readonly #lookedUpAt = new LRUCache<string, number>({ max: 1000 });
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: ClusterFinderOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Looks for clusters of those families of a workload that want them. */
  look(memory: WorkloadModel): void {
    for (const family of memory.takeUndivided()) {
      const text = `${keyText(memory.key)} ${family}`;
      const lookedUpAt = this.#lookedUpAt.get(text) ?? Number.NEGATIVE_INFINITY;
      if (this.#waiting.size >= MOST_WAITING || this.#now() - lookedUpAt < AGAIN_MS) continue;
      this.#lookedUpAt.set(text, this.#now());
      const { outcome, tries = 0 } = memory.familySplits.find(family) ?? {};
      // What is tried first has lost: texts and templates take turns.
      const areTemplatesTried = outcome === "lost" && tries % 2 === 1;
      this.#waiting.set(text, { key: memory.key, family, areTemplatesTried });
    }
    if (this.#waiting.size === 0 || this.#isClosed) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Has a workload take on what was found for it. */
  hand(memory: WorkloadModel): void {
    for (const { family: whole, generation, model } of this.#found.get(keyText(memory.key)) ?? []) {
      // Another process may have been faster.
      if (memory.wantsClusters(whole)) memory.familySplits.adopt({ whole, generation }, model);
    }
  }

  /**
   * Forgets what a workload has taken on, or wants no more, once that is written. What was found meanwhile waits for
   * its next step.
   */
  settle(memory: WorkloadModel): void {
    const text = keyText(memory.key);
    const waiting = (this.#found.get(text) ?? []).filter(({ family }) => memory.wantsClusters(family));
    if (waiting.length > 0) this.#found.set(text, waiting);
    else this.#found.delete(text);
  }

  /** Ends with the family that is looked at. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const [text, family] of this.#waiting) {
      this.#waiting.delete(text);
      try {
        await this.#find(family);
      } catch (error) {
        this.#options.onFailure?.(error);
      }
    }
  }

  async #find({ key, family, areTemplatesTried }: Waiting): Promise<void> {
    const prompts = await this.#options.store.readPrompts({ key, family }, MOST_PROMPTS);
    if (prompts.length < LEAST_PROMPTS) return;
    const templates = areTemplatesTried ? undefined : TemplateClusters.among(prompts.map(({ template }) => template));
    const model = templates?.encode() ?? (await this.#learn(prompts.map(({ text }) => text)));
    if (model === undefined) return;
    const found = { family, generation: Math.floor(this.#now() / 1000), model };
    if (this.#found.size < MOST_WAITING || this.#found.has(keyText(key))) {
      const others = (this.#found.get(keyText(key)) ?? []).filter((other) => other.family !== family);
      this.#found.set(keyText(key), [...others, found]);
    }
  }

  /** Groups prompts by their texts; undefined if it was closed meanwhile. */
  async #learn(texts: readonly string[]): Promise<string | undefined> {
    const steps = PromptClusters.learning(texts, CLUSTERS);
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      if (this.#isClosed) return undefined;
      // Others have their turn between the steps.
      await setImmediate();
    }
    return step.value.encode();
  }
}
