/** The permissions that keys have only if they were created with them. */
export const KEY_PERMISSIONS = ["control-workloads", "read:project"] as const;

/**
 * `control-workloads`: change how workloads are steered, and reset them. `read:project`: see the calls and the
 * figures of all keys of the project.
 */
export type KeyPermission = (typeof KEY_PERMISSIONS)[number];

/** Reads permissions as they are stored; those that this version does not know are none. */
export function parsePermissions(stored: readonly string[] | null | undefined): KeyPermission[] {
  return KEY_PERMISSIONS.filter((permission) => stored?.includes(permission));
}
