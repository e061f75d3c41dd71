import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { createRecordValidator, findHalfCharacters } from "../inference/run/validate.ts";
import { isBusy, stateByError } from "../lib/database-state.ts";
import { QuotaError } from "../store/types/quotas.ts";
import type { Store } from "../store/types/store.ts";
import { type Actor, checkOperation } from "./actor.ts";
import { adminKeyHandlers } from "./admin-keys.ts";
import { alertHandlers } from "./alerts.ts";
import { applyHandlers } from "./apply/handlers.ts";
import { auditHandlers } from "./audit.ts";
import { endUserHandlers } from "./end-users.ts";
import { feedbackHandlers } from "./feedback.ts";
import type { Handlers, OperationPorts, Work } from "./handlers.ts";
import { improvementHandlers } from "./improvements.ts";
import { keyHandlers } from "./keys.ts";
import { memberHandlers } from "./members.ts";
import {
  ADMIN_METHODS,
  type AdminMethod,
  isChange,
  OPERATIONS,
  type Operation,
  type RequestOf,
  type ResponseOf,
} from "./operations.ts";
import { pairHandlers } from "./pairs.ts";
import { projectDeletionHandlers } from "./project-deletions.ts";
import { projectHandlers } from "./projects.ts";
import { quotaHandlers } from "./quotas.ts";
import { rebuildHandlers } from "./rebuilds.ts";
import { reportHandlers } from "./reports.ts";
import { runChange } from "./run-change.ts";
import { workloadHandlers } from "./workloads.ts";

/** The operations, each for callers of whatever transport. Throw InferenceError. */
export type Operations = {
  readonly [Method in AdminMethod]: (
    caller: OperationCaller,
    request: RequestOf<Method>,
  ) => Promise<ResponseOf<Method>>;
};

/** The caller of an operation. */
export interface OperationCaller {
  readonly actor: Actor;
  /** The origin of what it changes, for the audit log; that of the store if absent. */
  readonly origin?: Store["origin"] | undefined;
}

const HANDLERS: Handlers = {
  ...projectHandlers,
  ...projectDeletionHandlers,
  ...keyHandlers,
  ...adminKeyHandlers,
  ...quotaHandlers,
  ...endUserHandlers,
  ...reportHandlers,
  ...workloadHandlers,
  ...improvementHandlers,
  ...rebuildHandlers,
  ...pairHandlers,
  ...feedbackHandlers,
  ...memberHandlers,
  ...auditHandlers,
  ...alertHandlers,
  ...applyHandlers,
};

/** An operation of any name. */
type AnyHandler = (work: Work, request: AnyRequest) => Promise<unknown>;
type AnyRequest = RequestOf<AdminMethod>;

/** Creates the administrative service. */
export function createOperations(ports: OperationPorts): Operations {
  const operations = ADMIN_METHODS.map((method) => [method, createOperation(ports, method)]);
  return Object.fromEntries(operations) as Operations;
}

/**
 * Creates an operation that checks what the caller may do and the request, and turns every failure into words for them.
 */
function createOperation(ports: OperationPorts, method: AdminMethod) {
  const operation: Operation = OPERATIONS[method];
  const handler = HANDLERS[method] as AnyHandler;
  const { input } = AdminService.method[method];
  const validate = createRecordValidator(input) as (request: AnyRequest) => void;
  return async ({ actor, origin }: OperationCaller, request: AnyRequest): Promise<unknown> => {
    const database = origin === undefined ? ports.store : ports.store.as({ ...origin, queueOwner: actor.projectId });
    checkOperation(actor, operation);
    // First, as JSON and RPC do when they decode a request.
    for (const { param, problem } of findHalfCharacters(request)) throw InferenceError.invalid(param, problem);
    validate(request);
    try {
      // An export changes nothing, and the audit log has who made it.
      if (operation.isSlow) return await handler({ ...ports, store: database, actor }, request);
      if (!isChange(operation)) return await handler({ ...ports, actor }, request);
      const isDryRun = "dryRun" in request && request.dryRun;
      const response = await runChange(database, isDryRun, (store) => handler({ ...ports, store, actor }, request));
      // Else a key's tighter limit would miss the calls that come right after it was answered.
      await ports.catchUp();
      return response;
    } catch (thrown) {
      throw toRefusal(thrown);
    }
  };
}

/** Returns what a caller is told of a failure. */
function toRefusal(thrown: unknown): unknown {
  if (thrown instanceof InferenceError) return thrown;
  if (thrown instanceof QuotaError) return new InferenceError(ErrorReason.CONFLICT, thrown.message, { cause: thrown });
  if (isBusy(thrown)) {
    const message = "others are changing the same at the moment, and nothing was changed: try again shortly";
    return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000, cause: thrown });
  }
  if (stateByError(thrown) === undefined) return thrown;
  const message = "the database cannot be reached at the moment: try again shortly";
  return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000, cause: thrown });
}
