/**
 * Generates what is generated: the imported proto, that of figures, the TypeScript of our protos, the JSON schema of the
 * configuration, the OpenAPI document, the pages of the reference, and the drawings of the documentation.
 */
import { execFileSync } from "node:child_process";

const run = (command: string, ...args: string[]): void => {
  execFileSync(command, args, { stdio: "inherit" });
};

run("node", "scripts/proto-deps.ts");
run("node", "scripts/make-figures-proto.ts");
run("buf", "generate");
run("node", "scripts/make-proto-comments.ts");
run("node", "scripts/make-config-schema.ts");
run("node", "scripts/make-openapi.ts");
run("node", "scripts/make-reference.ts");
run("node", "scripts/make-drawings.ts");
