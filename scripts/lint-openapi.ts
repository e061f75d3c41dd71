// Lints docs/openapi.json by the schema of OpenAPI 3.1.
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";

const file = fileURLToPath(new URL("../docs/openapi.json", import.meta.url));
const validator = new Validator();
const { valid, errors } = await validator.validate(file);
if (!valid) {
  console.error(errors);
  process.exit(1);
}
// Throws where a reference has no target.
validator.resolveRefs();
console.log(`docs/openapi.json is OpenAPI ${validator.version}`);
