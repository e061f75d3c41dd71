import { inBlindOrder, type JudgedPair, type PairVerdict } from "../../learning/shadow/blind-pair.ts";
import type { ShadowRecord } from "../../learning/shadow/ports.ts";
import { newId } from "../../lib/ids.ts";
import { memberRater } from "../../vocabulary/raters.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { createExecutor } from "../database/executor.ts";
import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import { shadowToEvent } from "../types/learning-events.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { createRowWriter } from "../write/recorder/batch-writer.ts";
import { insertBatch } from "./insert-batch.ts";

/** The metric that a verdict on the given answer has, and the tag that tells where it comes from. */
const METRIC = "satisfactory";
const SOURCE = "blind pair";
/** A pair, and the key by which somebody judges it. */
interface PairJudgement {
  readonly projectId: string;
  /** Id of the pair. */
  readonly id: string;
  /** Public id of the key that feedback on the given answer names. */
  readonly keyId: string;
  readonly verdict: PairVerdict;
}

/**
 * Writes a verdict, once: feedback on the answer that was given, and a record on that of the trial, by which the
 * judge's grade of it is measured. Undefined where the project has no such pair, or somebody has judged it.
 */
export async function judgePair(store: Store, judgement: PairJudgement): Promise<JudgedPair | undefined> {
  const { projectId, id, verdict } = judgement;
  const { engine } = store;
  return await store.unitOfWork(async (em) => {
    const tables = query(em);
    const key = id.toLowerCase();
    const [isServedGood, isTrialGood] = inBlindOrder(key, verdict.first, verdict.second);
    const judged = tables
      .updateTable("ShadowPair")
      .set({ servedVerdict: isServedGood, trialVerdict: isTrialGood })
      .where("id", "=", key)
      .where("projectId", "=", projectId)
      .where("trialVerdict", "is", null);
    const pair = await judged.returning("id").executeTakeFirst();
    const trial =
      pair && (await tables.selectFrom("ShadowTrial").selectAll().where("id", "=", pair.id).executeTakeFirst());
    if (trial == null || trial.trialModel === null) return undefined;
    const { model, inferenceId, servedModel, trialModel } = trial;
    const inference = tables.selectFrom("Inference").select("workload").where("id", "=", inferenceId);
    const { workload } = (await inference.executeTakeFirst()) ?? { workload: "" };
    const execute = createExecutor(tables);
    const entry = { ...feedbackOf(judgement, isServedGood), inferenceId, model, workload };
    const record = getVerdict({ ...trial, trialModel }, isTrialGood);
    await tables.insertInto("ShadowTrial").values(record).execute();
    const event = shadowToEvent(record);
    if (event !== undefined) await insertBatch(engine, execute, { events: [event], dueAtMs: Date.now() });
    await notifyChange(execute, engine, { channel: CHANNELS.learning });
    await createRowWriter(store)(execute, { ...NOTHING, feedback: [entry] });
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "learning.judgePair",
      target: { kind: "pair", id: trial.id, name: model },
      before: null,
      after: { inferenceId, [servedModel]: isServedGood, [trialModel]: isTrialGood },
    });
    return { inferenceId, models: inBlindOrder(trial.id, servedModel, trialModel), servedModel };
  });
}

const NOTHING = { inferences: [], attempts: new Map(), bodies: new Map(), items: new Map() };

function feedbackOf(
  { projectId, keyId }: PairJudgement,
  isGood: boolean,
): Omit<FeedbackEntryRow, "inferenceId" | "model" | "workload"> {
  return {
    id: newId(),
    attempt: null,
    projectId,
    keyId,
    name: METRIC,
    kind: "boolean",
    booleanValue: isGood,
    floatValue: null,
    textValue: null,
    tags: { source: SOURCE },
    optimize: "max",
    createdAt: new Date(),
    servedModel: "",
    sessionId: null,
    rater: memberRater(keyId),
  };
}

/** A record of its own, so that a rebuild learns it again: the trial's answer was judged by people too. */
function getVerdict(trial: ShadowRecord & { readonly trialModel: string }, isGood: boolean): ShadowRecord {
  const { inferenceId, projectId, model, family, trialModel, trialGood, trialGoodSecond } = trial;
  return {
    id: newId(),
    inferenceId,
    projectId,
    improvementId: null,
    model,
    family,
    kind: "verdict",
    servedModel: trialModel,
    trialModel: null,
    servedGood: trialGood,
    trialGood: null,
    servedGoodSecond: trialGoodSecond,
    trialGoodSecond: null,
    reward: isGood ? 1 : 0,
    inputTokens: 0,
    outputTokens: 0,
    costNanos: null,
    startedAt: new Date(),
    outcome: trialGood === null ? "ungraded" : "graded",
  };
}
