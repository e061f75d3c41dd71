import { type AdminScope, includesScope } from "../../src/hub/administrator.ts";
import {
  listProcedures,
  listScopes,
  PERMISSION_NAMES,
  PERMISSIONS,
  type Permission,
} from "../../src/hub/permissions.ts";
import { ROLES } from "../../src/hub/roles.ts";
import { ADMIN_METHODS, OPERATIONS } from "../../src/operations/operations.ts";
import { code, page, table } from "./markdown.ts";

function roleRow(name: Permission): string[] {
  const { allows, roles } = PERMISSIONS[name];
  const has: readonly string[] = roles;
  return [allows, ...ROLES.map((role) => (has.includes(role) ? "yes" : "")), code(name)];
}

function operationRow(name: Permission): string[] {
  const scopes = listScopes(name);
  return [code(name), list(listProcedures(name)), list(scopes), list(operationsOf(scopes))];
}

function operationsOf(scopes: readonly AdminScope[]): string[] {
  return ADMIN_METHODS.filter((method) => includesScope(scopes, OPERATIONS[method].scope)).map(
    (method) => OPERATIONS[method].name,
  );
}

function list(names: readonly string[]): string {
  return names.map(code).join(", ");
}

/** Returns the page of roles and permissions. */
export function rolesPage(): string {
  return page("Roles", "`src/hub/permissions.ts`", [
    "A member has one role in a project. The role has permissions; whatever needs one that it lacks is refused " +
      "with 403 and the roles that have it. Who belongs to no project sees nothing of it: 404.",
    `## What each role may\n\n${table(["may", ...ROLES, "permission"], PERMISSION_NAMES.map(roleRow))}`,
    "## What needs a permission\n\nProcedures are those of the dashboard. Admin keys have scopes in place of " +
      "roles; a scope allows as much as the permission beside it, in the project of the key or in all. " +
      "Commands run as the administrator of the machine, and with `--url` as the admin key that they have.",
    table(["permission", "procedures", "scopes of admin keys", "operations"], PERMISSION_NAMES.map(operationRow)),
  ]);
}
