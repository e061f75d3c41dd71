import { create, type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { IDEMPOTENCY } from "../admission/context-key.ts";
import { InferenceError } from "../hub/error.ts";
import { createIdempotencyKey, type IdempotencyKey, idempotencyKeyProblem } from "../hub/idempotency-key.ts";

const METADATA = "idempotency-key";

/** A request that may have a key. */
type KeyedRequest = { readonly idempotencyKey: string; readonly maxAnswerBytes?: number };

/** Returns the place of the key as its caller has it: the field, or the metadata, which is a header over HTTP. */
export function idempotencyPlace({ idempotencyKey }: KeyedRequest): string {
  return idempotencyKey === "" ? METADATA : "idempotency_key";
}

/**
 * Returns the key under which a call is answered once, from its field or its metadata, or as the facade read it;
 * undefined without one. Throws INVALID_REQUEST.
 */
export function readIdempotencyKey<Desc extends DescMessage>(
  schema: Desc,
  request: MessageShape<Desc> & KeyedRequest,
  context: HandlerContext,
): IdempotencyKey | undefined {
  const known = context.values.get(IDEMPOTENCY);
  if (known !== undefined) return known === "none" ? undefined : known;
  const field = request.idempotencyKey;
  const metadata = context.requestHeader.get(METADATA);
  if (field === "" && metadata === null) return undefined;
  if (field !== "" && metadata !== null && field !== metadata) {
    throw InferenceError.invalid("idempotency_key", `differs from the metadata '${METADATA}': send one`);
  }
  const key = field === "" ? (metadata ?? "") : field;
  const problem = idempotencyKeyProblem(key);
  if (problem !== undefined) throw InferenceError.invalid(idempotencyPlace(request), problem);
  // An answer that was too long for its caller is the same to one that takes more.
  const { maxAnswerBytes: _, ...same } = request;
  return createIdempotencyKey(key, schema.typeName, toBinary(schema, create(schema, same as typeof request)));
}
