import type { HandlerContext } from "@connectrpc/connect";
import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { FeedbackService } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import type { Admission, Admit } from "../admission/admission.ts";
import { ADMISSION, SUMMARY } from "../admission/context-key.ts";
import type { Caller } from "../inference/run/service.ts";
import { CALL_SIGNAL } from "./call-signal.ts";
import { encodeError } from "./encode-error.ts";

/** Tells who calls. Throws UNAUTHENTICATED. */
export type ReadCaller = (context: HandlerContext) => Promise<Caller>;

/**
 * Creates the reading of who calls: as it was admitted before the body was read, or from the headers for a call that
 * came by another way.
 */
export function createCallerReader(admit: Admit): ReadCaller {
  return async (context) => {
    const { values } = context;
    const { principal } = values.get(ADMISSION) ?? (await admitHeaders(context, admit));
    const timeoutMs = context.timeoutMs();
    return {
      principal,
      signal: values.get(CALL_SIGNAL) ?? context.signal,
      summary: values.get(SUMMARY),
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
  };
}

/** Judges of callers, by what they call. */
interface Gates {
  readonly admit: Admit;
  /** Of the administrative service. */
  readonly admitAdmin: Admit;
  /** Of CreateFeedback and DeleteFeedback. */
  readonly admitFeedback: Admit;
}

/** Creates the gate that every RPC passes before its body is read. It throws what the RPC answers. */
export function createRequestGate(gates: Gates): (context: HandlerContext) => Promise<void> {
  return async (context) => {
    try {
      const admission = await admitHeaders(context, getAdmit(context, gates));
      context.values.set(ADMISSION, admission);
      const summary = context.values.get(SUMMARY);
      if (summary !== undefined) summary.principal = admission.principal;
    } catch (thrown) {
      throw encodeError(thrown);
    }
  };
}

/** The methods of feedback that tokens may call. */
const BY_TOKEN: ReadonlySet<string> = new Set([
  FeedbackService.method.createFeedback.name,
  FeedbackService.method.deleteFeedback.name,
]);

function getAdmit({ service, method }: HandlerContext, { admit, admitAdmin, admitFeedback }: Gates): Admit {
  if (service.typeName === AdminService.typeName) return admitAdmin;
  const isFeedback = service.typeName === FeedbackService.typeName;
  return isFeedback && BY_TOKEN.has(method.name) ? admitFeedback : admit;
}

function admitHeaders({ requestHeader, values }: HandlerContext, admit: Admit): Admission | Promise<Admission> {
  return admit({
    address: values.get(SUMMARY)?.address,
    authorization: requestHeader.get("authorization") ?? undefined,
    apiKey: requestHeader.get("x-api-key") ?? undefined,
  });
}
