#!/usr/bin/env node
// The command line: `npx attune COMMAND` where the project is installed as a package, and in a clone.
import { pathToFileURL } from "node:url";
import { ensureInstalled, isInstalledPackage, root, runNode } from "./runtime.mjs";

ensureInstalled({ dev: false });
// Node strips types from a project's own files, and not from those of installed packages.
const hooks = isInstalledPackage
  ? ["--disable-warning=ExperimentalWarning", "--import", pathToFileURL(`${root}/scripts/strip-types.mjs`).href]
  : [];
runNode([...hooks, `${root}/src/cli.ts`, ...process.argv.slice(2)]);
