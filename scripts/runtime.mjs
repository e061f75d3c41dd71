// Runs on the system's Node 20: plain JavaScript, no dependencies.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBundle } from "./bundle/ensure-bundle.mjs";
import { markUsed } from "./bundle/find-bundle.mjs";
import { execNode } from "./exec-node.mjs";
import { servingOptions } from "./serving-options.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The interval at which a person is told that packages are still being installed. */
const TELL_MS = 5000;

/** Installs the locked dependencies unless they are there; those of development only where `dev` asks for them. */
export async function ensureInstalled({ dev }) {
  if (hasLocked(dev)) return;
  // `npm ci` deletes what is there first, which a service may be running on: what is missing is added to it.
  const isAdded = dev && hasLocked(false);
  const parts = isAdded ? ["install", "--no-save"] : ["ci", ...(dev ? [] : ["--omit=dev"])];
  const command = ["npm", ...parts].join(" ");
  process.stderr.write(`Installing dependencies (${command}); this happens once and takes about half a minute.\n`);
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const timer = setInterval(() => process.stderr.write(`Still installing (${seconds()} s).\n`), TELL_MS);
  const child = spawn("npm", [...parts, "--loglevel=error", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  const status = await new Promise((resolve) => child.once("error", () => resolve(1)).once("close", resolve));
  clearInterval(timer);
  if (status === 0) {
    process.stderr.write(`Installed (${seconds()} s).\n`);
    return;
  }
  process.stderr.write(`${command} failed; see its messages above.\n`);
  process.exit(status ?? 1);
}

/** Compares the lock file with npm's own list of what it has installed. */
function hasLocked(dev) {
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  if (installed === undefined) return false;
  return Object.entries(readPackages(join(root, "package-lock.json")) ?? {}).every(([path, wanted]) => {
    if (path === "") return true;
    const found = installed[path];
    if (found !== undefined) return found.version === wanted.version;
    return wanted.optional || wanted.devOptional || (wanted.dev && !dev);
  });
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : undefined;
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
      `Attune runs on Node 24. The registry has no Node 24 for ${process.platform}-${process.arch}: install ` +
        `it, and start again.\n`,
    );
    process.exit(1);
  }
}

/**
 * Runs the command line: the bundle of it, or the sources where there can be none. Node keeps beside either what it has
 * made of each file, which halves the time to load it.
 */
export function runAttune(args) {
  const node = findNode();
  const bundle = ensureBundle({ root, node });
  const program = bundle === undefined ? join(root, "src", "cli.ts") : join(bundle, "cli.js");
  const cache = join(bundle ?? join(root, "dist"), "compile-cache");
  if (bundle !== undefined && args[0] === "serve") markUsed(bundle);
  const serving = args[0] === "serve" ? servingOptions(process.env) : { flags: [], environment: {} };
  runNode([...serving.flags, program, ...args], {
    ...serving.environment,
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? cache,
  });
}

/** Runs a program of the project with the pinned Node, hands signals on, and exits as it does. */
export function runNode(args, environment = {}) {
  const node = findNode();
  const path = [dirname(node), join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  execNode(node, args, { ...process.env, ...environment, PATH: path });
}
