import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { type Administrator, includesScope } from "../hub/administrator.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { createMessageValidator } from "../inference/run/validate.ts";
import { isBusy, stateByError } from "../lib/database-state.ts";
import { QuotaError } from "../store/types/quotas.ts";
import type { Store } from "../store/types/store.ts";
import { alertHandlers } from "./alerts.ts";
import { applyHandlers } from "./apply/handlers.ts";
import { auditHandlers } from "./audit.ts";
import { endUserHandlers } from "./end-users.ts";
import { feedbackHandlers } from "./feedback.ts";
import type { AdministrationPorts, Handlers, Work } from "./handler.ts";
import { keyHandlers } from "./keys.ts";
import { memberHandlers } from "./members.ts";
import {
  ADMIN_METHODS,
  type AdminMethod,
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
export type Administration = {
  readonly [Method in AdminMethod]: (caller: AdminCaller, request: RequestOf<Method>) => Promise<ResponseOf<Method>>;
};

/** The caller of an operation. */
export interface AdminCaller {
  readonly actor: Administrator;
  /** The origin of what it changes, for the audit log; that of the store if absent. */
  readonly origin?: Store["origin"] | undefined;
}

const HANDLERS: Handlers = {
  ...projectHandlers,
  ...projectDeletionHandlers,
  ...keyHandlers,
  ...quotaHandlers,
  ...endUserHandlers,
  ...reportHandlers,
  ...workloadHandlers,
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
export function createAdministration(ports: AdministrationPorts): Administration {
  const operations = ADMIN_METHODS.map((method) => [method, createOperation(ports, method)]);
  return Object.fromEntries(operations) as Administration;
}

/** Creates an operation that checks the caller's scope and the request, and turns every failure into words for them. */
function createOperation(ports: AdministrationPorts, method: AdminMethod) {
  const operation: Operation = OPERATIONS[method];
  const handler = HANDLERS[method] as AnyHandler;
  const validate = createMessageValidator(AdminService.method[method].input) as (request: AnyRequest) => void;
  return async ({ actor, origin }: AdminCaller, request: AnyRequest): Promise<unknown> => {
    const database = origin === undefined ? ports.store : ports.store.as({ ...origin, queueOwner: actor.projectId });
    checkScope(actor, operation);
    validate(request);
    try {
      if (!operation.changes) return await handler({ ...ports, actor }, request);
      if (operation.isSlow) return await handler({ ...ports, store: database, actor }, request);
      const isDryRun = "dryRun" in request && request.dryRun;
      return await runChange(database, isDryRun, (store) => handler({ ...ports, store, actor }, request));
    } catch (thrown) {
      throw toRefusal(thrown);
    }
  };
}

/** Throws PERMISSION_DENIED where a caller may not do something. */
function checkScope(
  { scopes, projectId, label }: Administrator,
  { scope, also = [], isInstallationWide }: Operation,
): void {
  const key = `the admin key '${label}'`;
  const missing = [scope, ...also].find((needed) => !includesScope(scopes, needed));
  if (missing !== undefined) {
    const message = `this takes the scope ${missing}, which ${key} does not have: it has ${scopes.join(", ") || "none"}`;
    throw new InferenceError(ErrorReason.PERMISSION_DENIED, message);
  }
  if (isInstallationWide && projectId !== undefined) {
    const message = `${key} is bound to one project, and this concerns the installation: use a key without a project`;
    throw new InferenceError(ErrorReason.PERMISSION_DENIED, message);
  }
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
