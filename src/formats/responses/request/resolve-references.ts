import type { InferenceInput, StoredInference } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import type { ReadStored } from "../../shared/codec.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { encodeStoredItems } from "../answer/encode-stored.ts";
import { decodeItem } from "./decode-item.ts";

/** An id of an item that was made here: it holds the id of its inference. */
const OWN_ID = /^[a-z]+_([0-9a-f]{8})([0-9a-f]{4})(7[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})_i?\d+$/;

/**
 * Puts the items themselves in the place of references to items of stored responses. Ids that were not made here belong
 * to an upstream, and stay. Returns undefined if there is nothing to do; rejects with NOT_FOUND for an item that is not
 * stored.
 */
export function resolveReferences(input: InferenceInput, read: ReadStored): Promise<void> | undefined {
  const references = input.messages.flatMap(({ content }, index) => {
    const kind = content[0]?.kind;
    const item = kind?.case === "opaque" ? readResponsesJson(kind.value) : undefined;
    const id = item?.type === undefined || item.type === "item_reference" ? item?.id : undefined;
    const inferenceId = typeof id === "string" ? OWN_ID.exec(id)?.slice(1).join("-") : undefined;
    return typeof id === "string" && inferenceId !== undefined ? [{ index, id, inferenceId }] : [];
  });
  return references.length === 0 ? undefined : resolveAll(input, references, read);
}

interface Reference {
  /** Position in the input. */
  readonly index: number;
  readonly id: string;
  readonly inferenceId: string;
}

async function resolveAll(input: InferenceInput, references: readonly Reference[], read: ReadStored): Promise<void> {
  const known = new Map<string, JsonObject[]>();
  for (const { index, id, inferenceId } of references) {
    const items = known.get(inferenceId) ?? itemsOf(await read(inferenceId));
    known.set(inferenceId, items);
    const item = items.find((candidate) => candidate.id === id);
    if (!isJsonObject(item)) throw missing(index, id);
    input.messages[index] = decodeItem(item, `input[${index}]`);
  }
}

function itemsOf(inference: StoredInference | undefined): JsonObject[] {
  return inference === undefined ? [] : encodeStoredItems(inference);
}

function missing(index: number, id: string): InferenceError {
  const param = `input[${index}].id`;
  return new InferenceError(
    ErrorReason.NOT_FOUND,
    `${param}: no stored response has the item '${id.slice(0, 128)}': send the item itself`,
    { param },
  );
}
