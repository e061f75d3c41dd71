#!/usr/bin/env node
// The command line of a release, which needs Node 24 and nothing else. An older Node has to be able to read this file.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execNode } from "./exec-node.mjs";
import { servingOptions } from "./serving-options.mjs";

const NODE_MAJOR = 24;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR) {
  process.stderr.write(
    `Attune runs on Node ${NODE_MAJOR} or newer, and this is ${process.versions.node}: install it.\n`,
  );
  process.exit(1);
}
const { flags, environment } = args[0] === "serve" ? servingOptions(process.env) : { flags: [], environment: {} };
execNode(process.execPath, [...flags, join(root, "server", "cli.js"), ...args], {
  // Node goes on without a cache where it cannot write one.
  NODE_COMPILE_CACHE: join(root, "compile-cache"),
  ...process.env,
  ...environment,
});
