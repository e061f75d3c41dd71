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

/** The groups of a person. */
export interface PersonGroups {
  readonly names: readonly string[];
  /** False where the provider names others that cannot be read. */
  readonly isWhole: boolean;
}

/** The groups of a person of whom none can be read. */
export const UNREAD_GROUPS: PersonGroups = { names: [], isWhole: false };

/** Returns the grants of a person's groups; logs what to do where not all of these can be read. */
export function toGrants(
  { provider, settings }: { readonly provider: string; readonly settings: ProviderSettings },
  { names, isWhole }: PersonGroups,
  log: { warn(facts: object, message: string): void },
): Grants {
  const { issuer, groups: rules, groupsClaim } = settings;
  const roles = mapGroups(rules, names);
  if (!isWhole) log.warn({ provider, claim: groupsClaim }, UNREADABLE);
  return { provider, issuer, roles, isPartial: !isWhole };
}

const UNREADABLE =
  "not all groups of a person can be read from the sign-in provider, so that roles are kept and none is lowered: with " +
  "Entra ID, have the token name only groups assigned to the application, use app roles (groupsClaim: roles), or add " +
  "the scope GroupMember.Read.All of Microsoft Graph";

/** Most groups of a person that are looked at. */
const MOST_GROUPS = 20_000;

/** Reads the names of groups from a claim: a list of texts or numbers, or one text. */
export function readGroups(claim: unknown): PersonGroups {
  if (claim === undefined || claim === null) return { names: [], isWhole: true };
  if (typeof claim === "string") return { names: [claim], isWhole: true };
  if (!Array.isArray(claim)) return UNREAD_GROUPS;
  const known = claim.slice(0, MOST_GROUPS).filter((group) => typeof group === "string" || Number.isFinite(group));
  return { names: known.map(String), isWhole: known.length === claim.length };
}
