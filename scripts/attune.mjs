#!/usr/bin/env node
// The command line: `npx attune COMMAND` where the project is installed as a package, and in a clone.
import { ensureInstalled, runAttune } from "./runtime.mjs";

await ensureInstalled({ dev: false });
runAttune(process.argv.slice(2));
