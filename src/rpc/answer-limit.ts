import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { encodeMessage } from "../lib/protobuf/encode-message.ts";

/** The most that clients of gRPC take as one message unless they are told otherwise. */
const GRPC_BYTES = 4 * 2 ** 20;
/** Bytes of an item beside those of its message: its tag and its length. */
const ITEM_BYTES = 8;

/** Returns the most bytes that a caller takes as one answer, where the request says them or its protocol has a limit. */
export function readAnswerLimit(protocolName: string, requested: number | undefined): number {
  return requested ?? (protocolName.startsWith("grpc") ? GRPC_BYTES : Number.POSITIVE_INFINITY);
}

/** Returns how many of the items, from the first on, one answer of up to `limit` bytes carries. */
export function countFitting<Desc extends DescMessage>(
  schema: Desc,
  items: readonly MessageShape<Desc>[],
  limit: number,
): number {
  if (limit === Number.POSITIVE_INFINITY) return items.length;
  let bytes = 0;
  const over = items.findIndex((item) => {
    bytes += ITEM_BYTES + encodeMessage(schema, item).length;
    return bytes > limit;
  });
  return over === -1 ? items.length : over;
}
