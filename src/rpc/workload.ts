import { create } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  GetWorkloadRequestSchema,
  GetWorkloadResponseSchema,
  type ListWorkloadHistoryRequest,
  ListWorkloadHistoryRequestSchema,
  type ListWorkloadHistoryResponse,
  ListWorkloadHistoryResponseSchema,
  type ListWorkloadsRequest,
  ListWorkloadsRequestSchema,
  type ListWorkloadsResponse,
  ListWorkloadsResponseSchema,
  ResetWorkloadRequestSchema,
  ResetWorkloadResponseSchema,
  type UpdateControlsRequest,
  UpdateControlsRequestSchema,
  UpdateControlsResponseSchema,
  type WorkloadService as WorkloadRpc,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import type { ChangeOrigin } from "../hub/change-origin.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { Principal } from "../hub/principal.ts";
import { createMessageValidator } from "../inference/run/validate.ts";
import type { WorkloadDirectory } from "../learning/directory.ts";
import { inspect } from "../learning/learner/inspect.ts";
import type { WorkloadKey } from "../learning/workload.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeError } from "./encode-error.ts";
import { changesOf, checkUpdate } from "./update-controls.ts";
import { eventToMessage, nameOfKey } from "./workload-event-message.ts";
import { settingsToMessage, summaryToMessage, workloadToMessage } from "./workload-message.ts";

/** The options of the RPC service. */
interface WorkloadRpcOptions {
  readonly directory: WorkloadDirectory;
  /** Returns the name of the catalogue's model of an id, a name or an alias; undefined if there is none. */
  readonly modelOf: (name: string) => string | undefined;
  /** The prefix of model ids. */
  readonly prefix: string;
  readonly callerOf: ReadCaller;
}

/**
 * Workloads and events of a page where the caller does not say how many; of workloads also the most that a caller can
 * ask for.
 */
const WORKLOADS = 1000;
const EVENTS = 50;

/** Names that a catalogue may have, also one of another time. */
const MODEL_NAME = /^[\x21-\x7e]{1,200}$/;

/** Longer ones name no model; what is told of them has to fit into a header. */
const MAX_ID_LENGTH = 256;

/** Implements the RPC service on the directory of a database's workloads. */
export function createWorkloadRpc(options: WorkloadRpcOptions): ServiceImpl<typeof WorkloadRpc> {
  const { directory, callerOf } = options;
  const idOf = (name: string) => `${options.prefix}/${name}`;
  const catalogueName = options.modelOf;
  const nameOf = (id: string) => catalogueName(id) ?? nameIn(id, options.prefix);
  const validate = {
    list: createMessageValidator(ListWorkloadsRequestSchema),
    get: createMessageValidator(GetWorkloadRequestSchema),
    history: createMessageValidator(ListWorkloadHistoryRequestSchema),
    update: createMessageValidator(UpdateControlsRequestSchema, (request) => checkUpdate(request, catalogueName)),
    reset: createMessageValidator(ResetWorkloadRequestSchema),
  };

  const answer = <T>(context: HandlerContext, work: (principal: Principal, origin: ChangeOrigin) => Promise<T>) =>
    answerCaller(callerOf(context), work);

  function keyOf({ projectId }: Principal, id: string): WorkloadKey {
    const model = nameOf(id);
    if (model === undefined) throw unknownModel(id);
    return { projectId, model };
  }

  function targetOf(principal: Principal, { target }: UpdateControlsRequest): WorkloadKey {
    const { projectId } = principal;
    if (target.case !== "model") return { projectId, model: "" };
    const model = catalogueName(target.value);
    if (model === undefined) throw unknownModel(target.value);
    return { projectId, model };
  }

  return {
    listWorkloads: (request, context) =>
      answer(context, async ({ projectId }) => {
        validate.list(request);
        return await listWorkloads(request, projectId, { directory, idOf, nameOf });
      }),

    getWorkload: (request, context) =>
      answer(context, async (principal) => {
        validate.get(request);
        const key = keyOf(principal, request.model);
        const [facts, said] = await asked([directory.read(key), directory.controls(key.projectId)]);
        if (facts === undefined && catalogueName(request.model) === undefined) throw unknownModel(request.model);
        const learned = facts?.learned === undefined ? undefined : inspect(facts.learned);
        const parts = { model: key.model, said: said(key.model), facts, learned };
        return create(GetWorkloadResponseSchema, { workload: workloadToMessage(parts, idOf) });
      }),

    listWorkloadHistory: (request, context) =>
      answer(context, async (principal) => {
        validate.history(request);
        return await listHistory(request, keyOf(principal, request.model), { directory, idOf });
      }),

    updateControls: (request, context) =>
      answer(context, async (principal, origin) => {
        checkMayControl(principal);
        validate.update(request);
        const key = targetOf(principal, request);
        await asked([directory.setControls(key, changesOf(request, catalogueName), origin)]);
        const [said] = await asked([directory.controls(key.projectId)]);
        const { own, ofProject } = said(key.model);
        const controls = settingsToMessage(key.model === "" ? ofProject : own, idOf);
        return create(UpdateControlsResponseSchema, { controls });
      }),

    resetWorkload: (request, context) =>
      answer(context, async (principal, origin) => {
        checkMayControl(principal);
        validate.reset(request);
        const [wasReset] = await asked([directory.reset(keyOf(principal, request.model), origin)]);
        if (!wasReset) throw nothingLearned(request.model);
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

interface Names {
  readonly directory: WorkloadRpcOptions["directory"];
  readonly idOf: (name: string) => string;
}

async function listWorkloads(
  { pageSize, pageToken }: ListWorkloadsRequest,
  projectId: string,
  { directory, idOf, nameOf }: Names & { readonly nameOf: (id: string) => string | undefined },
): Promise<ListWorkloadsResponse> {
  const after = pageToken === "" ? "" : nameOf(pageToken);
  if (after === undefined) {
    throw InferenceError.invalid("page_token", "is not a page token of this service: start again without it");
  }
  const size = pageSize === 0 ? WORKLOADS : pageSize;
  // One more than the page has tells whether there is another page.
  const [found, said] = await asked([
    directory.page(projectId, { after, most: size + 1 }),
    directory.controls(projectId),
  ]);
  const page = found.slice(0, size);
  const last = page.at(-1)?.key.model;
  return create(ListWorkloadsResponseSchema, {
    workloads: page.map((facts) => summaryToMessage(facts, said(facts.key.model).resolved, idOf)),
    nextPageToken: found.length > size && last !== undefined ? idOf(last) : "",
  });
}

async function listHistory(
  { pageSize, pageToken }: ListWorkloadHistoryRequest,
  key: WorkloadKey,
  { directory, idOf }: Names,
): Promise<ListWorkloadHistoryResponse> {
  const size = pageSize === 0 ? EVENTS : pageSize;
  const before = pageToken === "" ? {} : { before: pageToken.toLowerCase() };
  const [found] = await asked([directory.history(key, { ...before, most: size + 1 })]);
  const page = found.slice(0, size);
  return create(ListWorkloadHistoryResponseSchema, {
    events: page.map((event) => eventToMessage(event, idOf)),
    nextPageToken: found.length > size ? (page.at(-1)?.id ?? "") : "",
  });
}

/** Waits for what the database was asked. Throws UNAVAILABLE where it does not answer. */
async function asked<T extends readonly unknown[]>(
  questions: readonly [...{ [At in keyof T]: Promise<T[At]> }],
): Promise<T> {
  try {
    return (await Promise.all(questions)) as unknown as T;
  } catch (cause) {
    const message = "the database cannot be asked for workloads at the moment: try again shortly";
    throw new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000, cause });
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

/** The name in an id; undefined where it is no name that a model can have. */
function nameIn(id: string, prefix: string): string | undefined {
  const name = id.startsWith(`${prefix}/`) ? id.slice(prefix.length + 1) : "";
  return MODEL_NAME.test(name) ? name : undefined;
}

function nothingLearned(id: string): InferenceError {
  return new InferenceError(ErrorReason.NOT_FOUND, `nothing was learned of the workload '${shorten(id)}'`, {
    param: "model",
  });
}

function unknownModel(id: string): InferenceError {
  return new InferenceError(ErrorReason.MODEL_NOT_FOUND, `the model '${shorten(id)}' does not exist`, {
    param: "model",
  });
}

function shorten(id: string): string {
  return id.length > MAX_ID_LENGTH ? `${id.slice(0, MAX_ID_LENGTH).toWellFormed()}…` : id;
}
