/** The roles of project members, in the order in which people choose them. `permissions.ts` says what each may. */
export const ROLES = ["owner", "admin", "developer", "viewer", "billing"] as const;
export type Role = (typeof ROLES)[number];

/** Reads a role as the database keeps it. Throws an Error for a word that is none. */
export function parseRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined) throw new Error(`'${text}' isn't a role`);
  return role;
}
