import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ADMISSION, SUMMARY } from "../admission/context-key.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { OperationCaller, Operations } from "../operations/create-operations.ts";
import type { Administrator } from "../vocabulary/administrator.ts";
import { encodeErrors } from "./encode-error.ts";

type Implementation = ServiceImpl<typeof AdminService>;

/** Implements the RPC service: each RPC is the operation of its name. */
export function createAdminRpc(operations: Operations): Implementation {
  const rpcs = Object.entries(operations).map(([method, operation]) => {
    const run = operation as (caller: OperationCaller, request: unknown) => Promise<unknown>;
    return [method, encodeErrors(async (request, context) => await run(readAdmin(context), request))];
  });
  return Object.fromEntries(rpcs) as Implementation;
}

function readAdmin(context: HandlerContext): OperationCaller {
  const actor = context.values.get(ADMISSION)?.administrator;
  if (actor !== undefined) return { actor, origin: getOrigin(actor, context) };
  throw new InferenceError(ErrorReason.UNAUTHENTICATED, "no admin key came with the request");
}

/** Returns the origin of what a caller changes; of a command its store knows it. */
function getOrigin(
  { kind, id, label }: Administrator,
  { values, protocolName }: HandlerContext,
): OperationCaller["origin"] {
  if (kind === "command") return undefined;
  const { address, requestId } = values.get(SUMMARY) ?? {};
  return { actor: { kind, id, label }, via: protocolName === "in-process" ? "http" : "rpc", address, requestId };
}
