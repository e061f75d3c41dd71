/** Roles, as people choose them. */
export const ROLE_CHOICES = [
  { value: "viewer", label: "Viewer" },
  { value: "member", label: "Member" },
  { value: "owner", label: "Owner" },
] as const;

/** A role in a project. */
export type Role = (typeof ROLE_CHOICES)[number]["value"];

/** Reads the choice of a list. */
export function readRole(value: string | null): Role | undefined {
  return ROLE_CHOICES.find((choice) => choice.value === value)?.value;
}
