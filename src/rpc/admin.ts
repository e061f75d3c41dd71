import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import type { Administration } from "../administration/administration.ts";
import { ADMISSION } from "../admission/context-key.ts";
import type { Administrator } from "../hub/administrator.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { encodeError } from "./encode-error.ts";

type Implementation = ServiceImpl<typeof AdminService>;

/** Implements the RPC service: each RPC is the operation of its name. */
export function createAdminRpc(administration: Administration): Implementation {
  const rpcs = Object.entries(administration).map(([method, operation]) => {
    const run = operation as (actor: Administrator, request: unknown) => Promise<unknown>;
    return [method, (request: unknown, context: HandlerContext) => answer(context, (actor) => run(actor, request))];
  });
  return Object.fromEntries(rpcs) as Implementation;
}

async function answer<T>({ values }: HandlerContext, work: (actor: Administrator) => Promise<T>): Promise<T> {
  try {
    const actor = values.get(ADMISSION)?.administrator;
    if (actor !== undefined) return await work(actor);
    throw new InferenceError(ErrorReason.UNAUTHENTICATED, "no admin key came with the request");
  } catch (thrown) {
    throw encodeError(thrown);
  }
}
