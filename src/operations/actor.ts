import { ErrorReason, InferenceError } from "../hub/error.ts";
import { type Administrator, type AdminScope, includesScope } from "../vocabulary/administrator.ts";
import { describeRefusal, includesPermission, type Permission } from "../vocabulary/permissions.ts";
import type { Role } from "../vocabulary/roles.ts";
import type { Operation } from "./operations.ts";

/** A member of a project, who acts by their role in it. */
export interface Member {
  readonly kind: "person";
  /** Id of the account. */
  readonly id: string;
  /** Address of the account. */
  readonly label: string;
  readonly projectId: string;
  readonly role: Role;
}

/** The actor of an operation: an admin key by its scopes, a command, or a member by their role. */
export type Actor = Administrator | Member;

/**
 * Tells whether an actor is a person, who asks for something new. Others say what is to be there: that it is there
 * already is no error to them.
 */
export function isPerson(actor: Actor): actor is Member {
  return actor.kind === "person";
}

/** Throws PERMISSION_DENIED where an actor may not do an operation. */
export function checkOperation(actor: Actor, operation: Operation): void {
  if (actor.kind === "person") checkMember(actor, operation.permission);
  else checkScopes(actor, operation);
}

function checkScopes(actor: Administrator, operation: Operation): void {
  const { scopes, projectId, label } = actor;
  const { scope, also = [], isInstallationWide } = operation;
  const key = `the admin key '${label}'`;
  const missing = [scope, ...also].find((needed) => !includesScope(scopes, needed));
  if (missing !== undefined) {
    throw denied(
      `this requires the scope ${missing}, which ${key} does not have: it has ${scopes.join(", ") || "none"}`,
    );
  }
  if (isInstallationWide && projectId !== undefined) {
    throw denied(`${key} is bound to one project, and this concerns the installation: use a key without a project`);
  }
}

/**
 * Throws PERMISSION_DENIED where a member lacks a permission that an operation takes beside its own, of some things.
 * The scopes of an operation are all that others need. `why` goes before the words.
 */
export function checkPermission(actor: Actor, permission: Permission, why = ""): void {
  if (actor.kind === "person") checkMember(actor, permission, why);
}

/** Throws PERMISSION_DENIED where an actor lacks a scope that a field takes. Members have no scopes. */
export function checkScope(actor: Actor, scope: AdminScope, field: string): void {
  if (actor.kind === "person" || !includesScope(actor.scopes, scope))
    throw denied(`${field}: requires the scope ${scope}`, field);
}

function checkMember({ role }: Member, permission: Permission | undefined, why = ""): void {
  if (permission === undefined) throw denied("members can't do this: it requires an admin key");
  if (!includesPermission(role, permission)) throw denied(`${why}${describeRefusal(role, permission)}`);
}

function denied(message: string, param?: string): InferenceError {
  return new InferenceError(ErrorReason.PERMISSION_DENIED, message, { param });
}
