import { create } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  GetWorkloadRequestSchema,
  GetWorkloadResponseSchema,
  ListWorkloadHistoryRequestSchema,
  ListWorkloadHistoryResponseSchema,
  ListWorkloadsRequestSchema,
  ListWorkloadsResponseSchema,
  ResetWorkloadRequestSchema,
  ResetWorkloadResponseSchema,
  UpdateControlsRequestSchema,
  UpdateControlsResponseSchema,
  type WorkloadService as WorkloadRpc,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { Principal } from "../hub/principal.ts";
import { createRecordValidator } from "../inference/run/validate.ts";
import { checkUpdate } from "../learning/update-controls.ts";
import { nameOfKey } from "../learning/workload-event-message.ts";
import { createWorkloadOperations, type WorkloadPorts } from "../learning/workload-operations.ts";
import type { ChangeOrigin } from "../vocabulary/change-origin.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeError } from "./encode-error.ts";

/** The options of the RPC service. */
interface WorkloadRpcOptions extends WorkloadPorts {
  readonly callerOf: ReadCaller;
}

/** Workloads of a page where the caller does not say how many; also the most that a caller can ask for. */
const WORKLOADS = 1000;

/** Implements the RPC service on the directory of a database's workloads. */
export function createWorkloadRpc(options: WorkloadRpcOptions): ServiceImpl<typeof WorkloadRpc> {
  const { callerOf, modelOf } = options;
  const workloads = createWorkloadOperations(options);
  const validate = {
    list: createRecordValidator(ListWorkloadsRequestSchema),
    get: createRecordValidator(GetWorkloadRequestSchema),
    history: createRecordValidator(ListWorkloadHistoryRequestSchema),
    update: createRecordValidator(UpdateControlsRequestSchema, (request) => checkUpdate(request, modelOf)),
    reset: createRecordValidator(ResetWorkloadRequestSchema),
  };

  const answer = <T>(context: HandlerContext, work: (principal: Principal, origin: ChangeOrigin) => Promise<T>) =>
    answerCaller(callerOf(context), work);

  return {
    listWorkloads: (request, context) =>
      answer(context, async ({ projectId }) => {
        validate.list(request);
        const { pageSize, pageToken } = request;
        const page = { size: pageSize === 0 ? WORKLOADS : pageSize, pageToken };
        return create(ListWorkloadsResponseSchema, await workloads.list(projectId, page));
      }),

    getWorkload: (request, context) =>
      answer(context, async ({ projectId }) => {
        validate.get(request);
        return create(GetWorkloadResponseSchema, await workloads.get(projectId, request.model));
      }),

    listWorkloadHistory: (request, context) =>
      answer(context, async ({ projectId }) => {
        validate.history(request);
        return create(ListWorkloadHistoryResponseSchema, await workloads.history(projectId, request));
      }),

    updateControls: (request, context) =>
      answer(context, async (principal, by) => {
        checkMayControl(principal);
        validate.update(request);
        const { target, controls, updateMask } = request;
        const model = target.case === "model" ? target.value : undefined;
        const change = { controls, updateMask, by };
        return create(UpdateControlsResponseSchema, await workloads.update(principal.projectId, model, change));
      }),

    resetWorkload: (request, context) =>
      answer(context, async (principal, by) => {
        checkMayControl(principal);
        validate.reset(request);
        await workloads.reset(principal.projectId, request.model, by);
        return create(ResetWorkloadResponseSchema);
      }),
  };
}

/** Answers a caller whom `callerOf` recognises, or throws its failure as a ConnectError. */
async function answerCaller<T>(
  caller: ReturnType<WorkloadRpcOptions["callerOf"]>,
  work: (principal: Principal, origin: ChangeOrigin) => Promise<T>,
): Promise<T> {
  try {
    const { principal, summary } = await caller;
    const actor = { kind: "key", id: principal.keyId, label: nameOfKey(principal.keyId) } as const;
    return await work(principal, { actor, via: "rpc", requestId: summary?.requestId });
  } catch (thrown) {
    throw encodeError(thrown);
  }
}

function checkMayControl({ permissions }: Principal): void {
  if (permissions?.includes("control-workloads")) return;
  throw new InferenceError(
    ErrorReason.PERMISSION_DENIED,
    "this key may read workloads but not change them: create one with 'attune keys create --allow " +
      "control-workloads', or use 'attune workloads'",
  );
}
