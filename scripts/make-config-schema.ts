// Writes docs/attune.schema.json, which editors use to check attune.yaml.
import { writeFileSync } from "node:fs";
import { configJsonSchema } from "../src/config/json-schema.ts";

const file = new URL("../docs/attune.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
