import { spawnSync } from "node:child_process";

/** Whether this system lets processes have disks of their own. */
export const canMount = spawnSync("unshare", ["--map-root-user", "--mount", "true"]).status === 0;

/**
 * Has a program run where `folder` is a disk of so many MiB, with the files that are in it now; nobody else sees it.
 */
export function onSmallDisk(folder: string, mebibytes: number): string[] {
  const mount = `mount -t tmpfs -o size=${mebibytes}m tmpfs '${folder}'`;
  // The folder beneath is reached through where the shell stands.
  const script = `cd '${folder}' && ${mount} && cp -a . '${folder}' && cd "$OLDPWD" && exec "$@"`;
  return ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"];
}
