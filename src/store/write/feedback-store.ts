import type { FeedbackStore, NewFeedbackEntry } from "../../feedback/ports.ts";
import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import type { Store } from "../types/store.ts";
import type { StoreRecorder } from "./recorder/store-recorder.ts";
import { writeBatch } from "./recorder/write-batch.ts";
import { storableText } from "./storable-text.ts";
import { createTakeBack } from "./take-back-feedback.ts";

/**
 * Creates the store of feedback entries. The entries of one call go together into the spool, which takes them while the
 * database is away; where it has no room they go to the database at once.
 */
export function createFeedbackStore(
  store: Store,
  recorder: Pick<StoreRecorder, "offerFeedback" | "flush">,
): FeedbackStore {
  return {
    async insert(entries) {
      const feedback = entries.map(entryToRow);
      if (!recorder.offerFeedback(feedback)) await writeBatch(store, { inferences: [], feedback });
    },
    takeBack: createTakeBack(store, recorder),
  };
}

function entryToRow({ content, tags, optimize, ...facts }: NewFeedbackEntry): FeedbackEntryRow {
  return {
    ...facts,
    model: storableText(facts.model),
    servedModel: "",
    workload: storableText(facts.workload),
    kind: content.kind,
    booleanValue: content.kind === "boolean" ? content.value : null,
    floatValue: content.kind === "float" ? content.value : null,
    textValue: content.kind === "note" ? content.value : null,
    tags,
    optimize: optimize ?? null,
  };
}
