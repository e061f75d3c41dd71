import { listProcedures } from "../../src/dashboard/router.ts";
import { ADMIN_METHODS, OPERATIONS } from "../../src/operations/operations.ts";
import { type AdminScope, includesScope } from "../../src/vocabulary/administrator.ts";
import { listScopes, PERMISSION_NAMES, PERMISSIONS, type Permission } from "../../src/vocabulary/permissions.ts";
import { ROLES } from "../../src/vocabulary/roles.ts";
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
  return page("Roles", "`src/vocabulary/permissions.ts`", [
    "What each role may do. A member has one role in a project. A request without the permission gets 403, with the " +
      "roles that have it. For people outside of a project, everything in it is 404.",
    `## Permissions by role\n\n${table(["may", ...ROLES, "permission"], PERMISSION_NAMES.map(roleRow))}`,
    "## Operations by permission\n\nProcedures are those of the dashboard. Admin keys have scopes instead of roles. " +
      "A scope allows the same as the permission in its row, in the key's project or in all projects. Commands run " +
      "as the administrator of the machine, and with `--url` as their admin key.",
    table(["permission", "procedures", "scopes of admin keys", "operations"], PERMISSION_NAMES.map(operationRow)),
  ]);
}
