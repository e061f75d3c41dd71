import { Decision, decide } from "../../../src/learning/bandit/decide.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { PromptClusters } from "../../../src/learning/bandit/prompt-clusters.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { takeSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";

const ARMS = 11;
const FAMILIES = 1000;
const DECISIONS = 400_000;
const EVENTS = 300_000;

export interface DecisionCost {
  readonly decisionMicrosP50: number;
  readonly decisionMicrosP99: number;
  readonly heapBytesPerDecision: number;
  readonly eventsPerSecond: number;
  readonly bytesPerFamily: number;
  readonly snapshotBytesPerFamily: number;
}

/** Times decisions and learning of one workload with eleven models, further arms, and a thousand families. */
export function measureDecisionCost(further: readonly string[] = []): DecisionCost {
  const arms = [...Array.from({ length: ARMS }, (_, index) => `model ${index}`), ...further];
  const names = Array.from({ length: FAMILIES }, (_, index) => `family ${index}`);
  const before = heldBytes();
  const state = new WorkloadState({ arms, base: "model 0" });
  const random = new SeededRandom(1);
  const startedAt = performance.now();
  for (let event = 0; event < EVENTS; event += 2) {
    const family = names[Math.floor(random.uniform() * FAMILIES)] ?? "";
    const arm = random.uniform() < 0.3 ? 0 : Math.floor(random.uniform() * ARMS);
    learn(state, { kind: "served", family, arm, price: 0.001 });
    learn(state, { kind: "rewarded", family, arm, reward: random.uniform() < 0.3 + 0.04 * arm ? 1 : 0 });
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const bytes = heldBytes() - before;
  const decision = new Decision(arms.length);
  const request = { family: 0, eligible: new Uint8Array(arms.length).fill(1), seed: 0 };
  const next = (): void => {
    request.family = 1 + Math.floor(random.uniform() * FAMILIES);
    request.seed = random.bits();
  };
  const heapBefore = process.memoryUsage().heapUsed;
  for (let index = 0; index < DECISIONS; index++) {
    next();
    decide(state, request, decision);
  }
  const heap = process.memoryUsage().heapUsed - heapBefore;
  const micros = new Float64Array(DECISIONS);
  for (let index = 0; index < DECISIONS; index++) {
    next();
    const at = performance.now();
    decide(state, request, decision);
    micros[index] = (performance.now() - at) * 1000;
  }
  micros.sort();
  return {
    decisionMicrosP50: micros[DECISIONS * 0.5] ?? 0,
    decisionMicrosP99: micros[DECISIONS * 0.99] ?? 0,
    heapBytesPerDecision: Math.max(0, heap) / DECISIONS,
    eventsPerSecond: EVENTS / seconds,
    bytesPerFamily: bytes / FAMILIES,
    snapshotBytesPerFamily: JSON.stringify(takeSnapshot(state)).length / FAMILIES,
  };
}

/** Bytes of the typed arrays that are in use; those that were outgrown are collected first. */
function heldBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().arrayBuffers;
}

export interface ClusterCost {
  readonly learnMillis: number;
  /** CPU time of the longest step, for which others have to wait. */
  readonly longestStepMillis: number;
  readonly encodedBytes: number;
  /** To find a prompt's cluster, for prompts of the data and for one of megabytes. */
  readonly findMicrosP50: number;
  readonly findMicrosP99: number;
  readonly findLongMicros: number;
}

const PROMPTS = 600;
const FINDS = 20_000;

/** Times the clusters of prompts: 16 are learned of the first 600, as a family's are. */
export function measureClusterCost(prompts: readonly string[]): ClusterCost {
  const cpuMillis = (): number => process.cpuUsage().user / 1000;
  const startedAt = cpuMillis();
  const steps = PromptClusters.learning(prompts.slice(0, PROMPTS), 16);
  let longest = 0;
  let last = startedAt;
  let step = steps.next();
  for (; ; step = steps.next()) {
    const now = cpuMillis();
    longest = Math.max(longest, now - last);
    last = now;
    if (step.done) break;
  }
  const clusters = step.value;
  const micros = (of: (index: number) => string, count: number): Float64Array =>
    Float64Array.from({ length: count }, (_, index) => {
      const at = performance.now();
      clusters.find(of(index));
      return (performance.now() - at) * 1000;
    }).sort();
  micros((index) => prompts[index % prompts.length] ?? "", FINDS);
  const found = micros((index) => prompts[index % prompts.length] ?? "", FINDS);
  const text = "The quick brown Fox, jumps 42 over (the) lazy dog? ".repeat(100_000);
  return {
    learnMillis: last - startedAt,
    longestStepMillis: longest,
    encodedBytes: clusters.encode().length,
    findMicrosP50: found[FINDS * 0.5] ?? 0,
    findMicrosP99: found[FINDS * 0.99] ?? 0,
    findLongMicros: micros(() => text, 1000)[500] ?? 0,
  };
}
