import { ConnectError } from "@connectrpc/connect";
import type { Status } from "../../../gen/google/rpc/status_pb.ts";
import type { InferenceError } from "../../inference/error.ts";
import { decodeError } from "./decode-error.ts";

/** Decodes a failure that an RPC tells in its answer, as one that it would end with. */
export function decodeStatus({ code, message, details }: Status): InferenceError {
  const error = new ConnectError(message, code);
  error.details = details.map(({ typeUrl, value }) => ({ type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1), value }));
  return decodeError(error);
}
