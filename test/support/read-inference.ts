import { Inference, type InferenceRow } from "../../src/store/entities/inference.ts";
import { InferenceBody } from "../../src/store/entities/inference-body.ts";
import { decodeContent, type InferenceContent } from "../../src/store/types/inference-body.ts";
import type { Store } from "../../src/store/types/store.ts";

/** An inference as it is stored. */
export interface StoredInference {
  readonly row: InferenceRow;
  /** The request and response; undefined where no body was kept. */
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
