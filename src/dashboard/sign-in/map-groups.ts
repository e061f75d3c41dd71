import { ROLES, type Role } from "../../hub/roles.ts";
import type { GroupRule, ProviderSettings } from "../../hub/sign-in-settings.ts";
import type { Grants } from "../../store/dashboard/apply-grants.ts";

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

/** Returns the grants of a person's groups; where these cannot be read, those of everyone, and logs what to do. */
export function grantsOf(
  { provider, settings }: { readonly provider: string; readonly settings: ProviderSettings },
  groups: readonly string[] | undefined,
  log: { warn(facts: object, message: string): void },
): Grants {
  const { issuer, groups: rules, groupsClaim } = settings;
  const roles = mapGroups(rules, groups ?? []);
  if (groups === undefined) log.warn({ provider, claim: groupsClaim }, UNREADABLE);
  return { provider, issuer, roles, isPartial: groups === undefined };
}

const UNREADABLE =
  "the groups of a person cannot be read from the sign-in provider, so that roles are kept and none is lowered: with " +
  "Entra ID, have the token name only groups assigned to the application, use app roles (groupsClaim: roles), or add " +
  "the scope GroupMember.Read.All of Microsoft Graph";

/** Most groups of a person that are looked at. */
const MOST_GROUPS = 2000;

/** Reads the names of groups from a claim: a list of texts, or one text; undefined where it is there and is neither. */
export function readGroups(claim: unknown): readonly string[] | undefined {
  if (claim === undefined || claim === null) return [];
  if (typeof claim === "string") return [claim];
  if (!Array.isArray(claim)) return undefined;
  return claim.slice(0, MOST_GROUPS).filter((group) => typeof group === "string");
}
