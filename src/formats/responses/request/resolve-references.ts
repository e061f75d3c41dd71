import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import { findReference, readOwnItemId } from "../../../hub/item-references.ts";
import type { ReadStored } from "../../shared/codec.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { encodeStoredItems } from "../answer/encode-stored.ts";
import { ITEM } from "./decode-item.ts";

/**
 * Puts the items themselves in the place of references to items of stored responses. Ids that were not made here belong
 * to an upstream, and stay, as those of responses that are not stored. Returns undefined if there is nothing to do;
 * rejects with NOT_FOUND for an item that its stored response does not have.
 */
export function resolveReferences(input: InferenceInput, read: ReadStored): Promise<void> | undefined {
  const references = input.messages.flatMap((message, index) => {
    const id = findReference(message);
    const inferenceId = id === undefined ? undefined : readOwnItemId(id)?.inferenceId;
    return id !== undefined && inferenceId !== undefined ? [{ index, id, inferenceId }] : [];
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
    const stored = known.get(inferenceId) ?? (await read(inferenceId));
    // Its answer may be in the records of the project though it is not stored: the history looks there.
    if (stored === undefined) continue;
    const items = Array.isArray(stored) ? stored : encodeStoredItems(stored);
    known.set(inferenceId, items);
    const item = items.find((candidate) => candidate.id === id);
    if (!isJsonObject(item)) throw missing(index, id);
    input.messages[index] = ITEM.read(item, `input[${index}]`, undefined);
  }
}

function missing(index: number, id: string): InferenceError {
  const param = `input[${index}].id`;
  return new InferenceError(
    ErrorReason.NOT_FOUND,
    `${param}: no stored response has the item '${id.slice(0, 128)}': send the item itself`,
    { param },
  );
}
