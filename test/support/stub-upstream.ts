import { setTimeout as delay } from "node:timers/promises";
import { FinishReason, type GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel } from "../../src/catalog/model.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent, finishedEvent, startedEvent } from "../../src/hub/events.ts";
import type { Upstream } from "../../src/hub/upstream.ts";
import type { Background } from "../../src/inference/background/background.ts";
import type {
  InferenceArchive,
  InferenceRecord,
  Plan,
  PlannedAttempt,
  Recorder,
  Router,
  StoredInference,
} from "../../src/inference/ports.ts";

/** Events of a short text answer, fresh for each call: what goes out is not to be shared. */
export function textEvents(...pieces: string[]): GenerateEvent[] {
  return [
    startedEvent({ usage: { inputTokens: 5 } }),
    blockStartEvent(0, { kind: { case: "text", value: { text: "" } } }),
    ...pieces.map((piece) => blockDeltaEvent(0, { case: "text", value: piece })),
    blockEndEvent(0),
    finishedEvent({
      reason: FinishReason.STOP,
      rawReason: "stop",
      usage: { inputTokens: 5, outputTokens: pieces.length },
    }),
  ];
}

/** A batch of events, a wait, or an error to throw. `hang` waits for the caller to leave. */
export type Step = GenerateEvent[] | { readonly waitMs: number } | InferenceError | "hang";

/** Creates an upstream that plays the steps of one call after another; the last list repeats. */
export function stubUpstream(name: string, calls: (() => Step[])[], losses: readonly string[] = []): Upstream {
  let count = 0;
  return {
    name,
    prepare: (_input, { onSent }) => ({
      losses,
      async send(sink, signal) {
        onSent?.();
        const steps = calls[Math.min(count++, calls.length - 1)]?.() ?? [];
        for (const step of steps) {
          if (step === "hang") await aborted(signal);
          else if (step instanceof InferenceError) throw step;
          else if ("waitMs" in step) await delay(step.waitMs);
          else await sink(step);
        }
      },
    }),
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new InferenceError(ErrorReason.CANCELED, "the client disconnected")));
  });
}

/** A model priced at 1 USD per million input tokens and 10 per million output tokens. */
export const stubModel: CatalogModel = {
  name: "m",
  displayName: "M",
  family: "chat",
  purpose: "tests",
  contextWindow: 1000,
  maxOutputTokens: 100,
  minCacheableTokens: 0,
  price: { input: 1_000_000, output: 10_000_000, cacheRead: 100_000, cacheWrite5m: 1_250_000, cacheWrite1h: 2_000_000 },
  createdAt: new Date(0),
  deployments: [],
};

/** A place that takes as much as the model. */
export function stubPlace(upstream: Upstream, model = "real-m"): PlannedAttempt {
  const { contextWindow } = stubModel;
  return { model: stubModel, upstream, deployment: { upstream: upstream.name, model }, contextWindow, propensity: 1 };
}

/** Plans every request onto the upstreams, one after another. */
export function stubPlan(...upstreams: Upstream[]): Plan {
  return {
    model: stubModel,
    strategy: { kind: "sequence", attempts: upstreams.map((upstream) => stubPlace(upstream)) },
    optimizations: [],
  };
}

/** Returns the error for a model that there is not. */
export function unknownModel(): InferenceError {
  return new InferenceError(ErrorReason.MODEL_NOT_FOUND, "there is no such model here");
}

/** Returns the same plan for every request. */
export function stubRouter(plan: Plan): Router {
  return {
    modelOf: () => plan.model,
    unknownModel,
    plan: () => plan,
    coalescing: () => undefined,
    mayBegin: () => true,
  };
}

/** Keeps what it is offered. */
export function stubRecorder() {
  const [records, provisional]: [InferenceRecord[], InferenceRecord[]] = [[], []];
  const recorder: Recorder = {
    accepting: true,
    offer: (record) => void records.push(record),
    offerProvisional: (make) => void provisional.push(make()),
  };
  return { ...recorder, records, provisional };
}

/** A background that nothing is begun in. */
export const NO_BACKGROUND: Pick<Background, "begin"> = {
  begin: () => Promise.reject(new Error("nothing is made in the background here")),
};

/** Finds the inferences that it is given; deletes none. */
export function stubArchive(...inferences: StoredInference[]): InferenceArchive {
  return {
    async readChain(id, _projectId, limit) {
      const chain: StoredInference[] = [];
      for (let next: string | undefined = id; next !== undefined && chain.length < limit; ) {
        const found = inferences.find((inference) => inference.id === next);
        if (found === undefined) break;
        chain.push(found);
        next = found.previousId;
      }
      return chain;
    },
    delete: async () => false,
  };
}
