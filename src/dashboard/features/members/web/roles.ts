import type { Role as RoleName } from "../../../../vocabulary/roles.ts";

/** Roles, as people choose them, with what each may do in short. */
export const ROLE_CHOICES = [
  { value: "owner", label: "Owner", may: "everything" },
  { value: "admin", label: "Admin", may: "everything but owners and the project itself" },
  { value: "developer", label: "Developer", may: "read, create keys, call, and change workloads" },
  { value: "viewer", label: "Viewer", may: "read" },
  { value: "billing", label: "Billing", may: "see figures, and no texts" },
] as const satisfies readonly { readonly value: RoleName; readonly label: string; readonly may: string }[];

/** A role in a project. */
export type Role = (typeof ROLE_CHOICES)[number]["value"];

/** Reads the choice of a list. */
export function readRole(value: string | null): Role | undefined {
  return ROLE_CHOICES.find((choice) => choice.value === value)?.value;
}
