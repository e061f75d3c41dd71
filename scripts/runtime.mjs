// Runs on the system's Node 20: plain JavaScript, no dependencies.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether this copy of the project was installed as a package, and is not a clone. */
export const isInstalledPackage = root.split(/[\\/]/).includes("node_modules");

/** Installs the locked dependencies unless the folder already holds exactly those. */
export function ensureInstalled() {
  if (isInstalledPackage) return;
  const lock = readFileSync(join(root, "package-lock.json"));
  const wanted = createHash("sha256").update(lock).digest("hex");
  const stamp = join(root, "node_modules", ".attune-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stderr.write("Installing dependencies (npm ci); this happens once and takes about a minute.\n");
  const quiet = ["--loglevel=error", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", ["ci", ...quiet], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    process.stderr.write("npm ci failed; see its messages above.\n");
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, wanted);
}

/** Finds the Node that the project pins, or the running one if it is new enough. */
function findNode() {
  const require = createRequire(join(root, "package.json"));
  try {
    return join(dirname(require.resolve(`node-${process.platform}-${process.arch}/package.json`)), "bin", "node");
  } catch {
    const [major = 0] = process.versions.node.split(".").map(Number);
    if (major >= 24) return process.execPath;
    process.stderr.write(
      `Attune runs on Node 24. The registry has no Node 24 for ${process.platform}-${process.arch}: install it, and start again.\n`,
    );
    process.exit(1);
  }
}

/** Runs a program of the project with the pinned Node, hands signals on, and exits as it does. */
export function runNode(args, environment = {}) {
  const node = findNode();
  const path = [dirname(node), join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  const child = spawn(node, args, { stdio: "inherit", env: { ...process.env, ...environment, PATH: path } });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal !== null) process.exit(128 + 15);
    process.exit(code ?? 1);
  });
}
