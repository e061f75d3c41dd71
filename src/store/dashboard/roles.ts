/** The roles of project members, least rights first. */
export const ROLES = ["viewer", "member", "owner"] as const;

/** A viewer reads; a member also makes and revokes keys and steers; an owner also manages members and the project. */
export type Role = (typeof ROLES)[number];

/** Tells whether a role includes another. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Reads a role as the database keeps it. Throws an Error for a word that is none. */
export function parseRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined) throw new Error(`'${text}' is no role`);
  return role;
}
