import { ROLES, type Role } from "../../hub/roles.ts";
import type { GroupRule } from "../../hub/sign-in-settings.ts";

/** Returns the role in each project that groups give; of several the one that comes first in the order of roles. */
export function mapGroups(rules: readonly GroupRule[], groups: readonly string[]): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  for (const { group, project, role } of rules) {
    if (group !== "*" && !groups.includes(group)) continue;
    const other = roles.get(project);
    if (other === undefined || ROLES.indexOf(role) < ROLES.indexOf(other)) roles.set(project, role);
  }
  return roles;
}

/** Most groups of a person that are looked at. */
const MOST_GROUPS = 2000;

/** Reads the names of groups from a claim: a list of texts, or one text. */
export function readGroups(claim: unknown): readonly string[] {
  if (typeof claim === "string") return [claim];
  if (!Array.isArray(claim)) return [];
  return claim.slice(0, MOST_GROUPS).filter((group) => typeof group === "string");
}
