import type { ShadowRecord } from "../../src/learning/shadow/ports.ts";
import { newId } from "../../src/lib/ids.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";

/** Makes the record of a trial in which the model that was tried was better. */
export function shadowRecord(changes: Partial<ShadowRecord> = {}): ShadowRecord {
  return {
    id: newId(),
    inferenceId: newId(),
    projectId: DEFAULT_PROJECT.id,
    improvementId: null,
    model: "base",
    family: "tag:a",
    kind: "trial",
    servedModel: "base",
    trialModel: "good",
    servedGood: false,
    trialGood: true,
    servedGoodSecond: null,
    trialGoodSecond: null,
    reward: null,
    inputTokens: 300,
    outputTokens: 60,
    costNanos: 600,
    startedAt: new Date(),
    outcome: "graded",
    ...changes,
  };
}
