// Writes docs/attune.schema.json and docs/projects.schema.json, which editors use to check attune.yaml and
// projects.yaml.
import { writeFileSync } from "node:fs";
import { configJsonSchema, projectsJsonSchema } from "../src/config/json-schema.ts";

const schemas = { attune: configJsonSchema(), projects: projectsJsonSchema() };

for (const [name, schema] of Object.entries(schemas)) {
  const file = new URL(`../docs/${name}.schema.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
}
