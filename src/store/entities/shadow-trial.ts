import { defineEntity, p } from "@mikro-orm/core";
import type { ShadowKind, ShadowRecord } from "../../learning/shadow/ports.ts";

/** A shadow trial, or a check of the judge. It holds no text, and counts in no figure of its project. */
export const ShadowTrial = defineEntity({
  name: "ShadowTrial",
  tableName: "shadow_trial",
  indexes: [
    { properties: ["projectId", "id"] },
    // Retention deletes them with their inferences.
    { properties: ["inferenceId"] },
    // Few rows have one.
    { properties: ["improvementId"], where: "improvement_id is not null" },
  ],
  properties: {
    id: p.uuid().primary(),
    /** The inference whose answer was graded. */
    inferenceId: p.uuid(),
    projectId: p.uuid(),
    /** The improvement that asked for it; null for one of ordinary traffic. */
    improvementId: p.uuid().nullable(),
    /** Base: the model that was asked for. */
    model: p.text(),
    family: p.text(),
    /** trial, check, silent or verdict. */
    kind: p.text().$type<ShadowKind>(),
    servedModel: p.text(),
    /** The model that was tried; null for checks. */
    trialModel: p.text().nullable(),
    /** The judge's grades; null where there is none. */
    servedGood: p.boolean().nullable(),
    trialGood: p.boolean().nullable(),
    /** The second judge's grades; null if it was not asked, or gave none. */
    servedGoodSecond: p.boolean().nullable(),
    trialGoodSecond: p.boolean().nullable(),
    /** The reward that people gave a checked answer, or a trial's answer that they judged, 0 to 1. */
    reward: p.double().$type<number>().nullable(),
    /** Of all calls. */
    inputTokens: p.integer(),
    outputTokens: p.integer(),
    /** Null where no call had a price. */
    costNanos: p.bigint("number").nullable(),
    startedAt: p.datetime(3),
    /** graded, ungraded or failed. */
    outcome: p.text().$type<ShadowRecord["outcome"]>(),
  },
});

/** The text of a shadow trial's answer, for people to judge blind, and for reports. The latest of a workload are kept. */
export const ShadowPair = defineEntity({
  name: "ShadowPair",
  tableName: "shadow_pair",
  // Retention deletes them with the texts of their inferences.
  indexes: [{ properties: ["projectId", "model", "id"] }, { properties: ["inferenceId"] }],
  properties: {
    /** Id of the trial. */
    id: p.uuid().primary(),
    inferenceId: p.uuid(),
    projectId: p.uuid(),
    /** Base: the model that was asked for. */
    model: p.text(),
    /** As in `inference_body`. */
    answer: p.blob(),
    /** The verdicts of somebody who judged the given answer and the trial's; null until then. */
    servedVerdict: p.boolean().nullable(),
    trialVerdict: p.boolean().nullable(),
  },
});

/** The money that shadow trials of a budget have spent in a day, with what is set aside for calls under way. */
export const ShadowDay = defineEntity({
  name: "ShadowDay",
  tableName: "shadow_day",
  properties: {
    /** Days since 1970, UTC. */
    day: p.integer().primary().autoincrement(false),
    /** See ShadowControls. */
    budget: p.text().primary(),
    spentNanos: p.bigint("number"),
  },
});
