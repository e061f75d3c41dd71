import { Inference, type InferenceRow } from "../entities/inference.ts";
import { InferenceBody } from "../entities/inference-body.ts";
import { decodeContent, type InferenceContent } from "../types/inference-body.ts";
import type { Store } from "../types/store.ts";

/** An inference as it is stored. */
export interface StoredInference {
  readonly row: InferenceRow;
  /** What was asked and answered; undefined where no body was kept. */
  readonly content: InferenceContent | undefined;
}

/** Reads an inference with its bodies; undefined if there is none of that id. */
export async function readInference(store: Store, id: string): Promise<StoredInference | undefined> {
  const em = store.fork();
  const row = await em.findOne(Inference, { id });
  if (row === null) return undefined;
  const body = await em.findOne(InferenceBody, { id });
  return { row, content: body === null ? undefined : await decodeContent(body) };
}
