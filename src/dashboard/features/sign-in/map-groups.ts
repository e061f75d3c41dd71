import { isObject } from "../../../lib/is-object.ts";
import type { Grants } from "../../../store/dashboard/apply-grants.ts";
import { ROLES, type Role } from "../../../vocabulary/roles.ts";
import type { GroupRule, ProviderSettings } from "../../../vocabulary/sign-in-settings.ts";

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
  "not all groups of a person can be read from the sign-in provider, so roles are kept and none is lowered: with " +
  "Entra ID, have the token name only groups assigned to the application, use app roles (groupsClaim: roles), or add " +
  "the scope GroupMember.Read.All of Microsoft Graph";

/** Most groups of a person that are looked at. */
const MOST_GROUPS = 20_000;

/**
 * Reads the names of groups from a claim: a list of texts or numbers, which may stand in a text as JSON, one text, or an
 * object whose members are the groups, as ZITADEL has roles.
 */
export function readGroups(claim: unknown): PersonGroups {
  if (claim === undefined || claim === null) return { names: [], isWhole: true };
  if (typeof claim === "string") return readText(claim);
  if (isObject(claim)) return readMembers(claim);
  if (!Array.isArray(claim)) return UNREAD_GROUPS;
  const known = claim.slice(0, MOST_GROUPS).filter((group) => typeof group === "string" || Number.isFinite(group));
  return { names: known.map(String), isWhole: known.length === claim.length };
}

/**
 * A list in another form, such as `[a, b]` or `a,b`, is not read: names may have commas, as those of directories do
 * (`CN=admins,OU=groups`).
 */
function readText(text: string): PersonGroups {
  if (!text.startsWith("[")) return { names: [text], isWhole: !/^[^=]*[,;]/.test(text) };
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? readGroups(list) : UNREAD_GROUPS;
  } catch {
    return UNREAD_GROUPS;
  }
}

/** A member that is false or null names no group. */
function readMembers(claim: Readonly<Record<string, unknown>>): PersonGroups {
  const members = Object.entries(claim).filter(([, value]) => value !== false && value !== null);
  const known = members.slice(0, MOST_GROUPS).filter(([, value]) => value === true || isObject(value));
  return { names: known.map(([name]) => name), isWhole: known.length === members.length };
}
