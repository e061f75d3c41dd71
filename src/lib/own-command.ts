import { existsSync } from "node:fs";
import { sep } from "node:path";

/** The command that runs Attune here: in a project with Attune as a package, in a clone, or from a release's folder. */
export const OWN_COMMAND = import.meta.dirname.includes(`${sep}node_modules${sep}`)
  ? "npx attune"
  : existsSync(import.meta.dirname)
    ? "npm run -s attune --"
    : "attune";
