import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { withSlashes } from "../bundle/generate.ts";
import type { Package } from "./packages.ts";

/** An entry of package-lock.json: the hash of the archive that a package was installed from. */
interface Locked {
  readonly integrity?: string;
}

/** Returns the SHA-512 in hex, by package-lock.json, of the archive that a package was installed from. */
export function readLockHashes(root: string): (found: Pick<Package, "folder">) => string | undefined {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  return ({ folder }) => {
    const { integrity = "" } = lock.packages[placeOf(root, folder)] ?? {};
    const [, hash] = /(?:^| )sha512-([A-Za-z0-9+/=]+)/.exec(integrity) ?? [];
    return hash === undefined ? undefined : Buffer.from(hash, "base64").toString("hex");
  };
}

/** The folder may be that of a link to node_modules: the lock names it from there on. */
function placeOf(root: string, folder: string): string {
  const path = withSlashes(relative(root, folder));
  return path.slice(Math.max(0, path.indexOf("node_modules/")));
}
