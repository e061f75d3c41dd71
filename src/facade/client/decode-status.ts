import { fromBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { ErrorDetailSchema } from "../../../gen/attune/error/v1/error_pb.ts";
import type { Status } from "../../../gen/google/rpc/status_pb.ts";
import type { InferenceError } from "../../hub/error.ts";
import { decodeError } from "./decode-error.ts";

/**
 * A failure that an RPC tells in its answer. An answer may tell of thousands, so that they are no Errors, which know
 * where they were made.
 */
export interface DecodedFailure extends Pick<InferenceError, "reason" | "message"> {
  readonly facts: Pick<InferenceError["facts"], "param" | "upstreamStatus">;
}

const DETAIL = `/${ErrorDetailSchema.typeName}`;

/** Decodes a failure that an RPC tells in its answer, as one that it would end with. */
export function decodeStatus({ code, message, details }: Status): DecodedFailure {
  const packed = details.find(({ typeUrl }) => typeUrl.endsWith(DETAIL));
  if (packed === undefined) return decodeError(new ConnectError(message, code));
  const { reason, param } = fromBinary(ErrorDetailSchema, packed.value);
  return { reason, message, facts: { param } };
}
