// Lets the pinned Node run this package's TypeScript from inside node_modules, where Node itself does not strip types.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const own = pathToFileURL(dirname(dirname(fileURLToPath(import.meta.url)))).href;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(`${own}/`) || !url.endsWith(".ts")) return nextLoad(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8"), { mode: "strip" });
    return { format: "module", source, shortCircuit: true };
  },
});
