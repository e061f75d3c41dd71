import { z } from "zod";
import { projectsSchema } from "./projects-schema.ts";
import { configSchema } from "./schema.ts";

/** A reference to the environment inside a text. */
const HAS_REFERENCE = "\\$\\{";

/** A reference to the environment, which may stand in place of a number. */
const REFERENCE = "^\\$\\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\\}$";

/** Returns the JSON schema of attune.yaml, for editors. */
export function configJsonSchema(): object {
  const { $schema, ...schema } = toJsonSchema(configSchema);
  return { $schema, title: "Attune configuration", ...schema };
}

/** Returns the JSON schema of a file of projects, for editors. */
export function projectsJsonSchema(): object {
  const { $schema, ...schema } = toJsonSchema(projectsSchema);
  return { $schema, title: "Attune projects", ...schema };
}

// Draft 7 is what the YAML language server understands best.
function toJsonSchema(schema: z.ZodType): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(schema, {
    io: "input",
    target: "draft-7",
    override: ({ zodSchema: { _zod }, jsonSchema }) => {
      const { def } = _zod;
      if (isNumeric(def)) allowReference(jsonSchema);
      else if (jsonSchema.pattern !== undefined) jsonSchema.pattern = `(?:${jsonSchema.pattern})|${HAS_REFERENCE}`;
      // Zod leaves out the default of what is transformed; all of ours are also valid as they would be written.
      else if (def.type === "default") jsonSchema.default = (def as z.core.$ZodDefaultDef).defaultValue;
    },
  });
}

/** Numbers are the fields that are preprocessed, see fields.ts. */
function isNumeric(def: z.core.$ZodTypeDef): boolean {
  return def.type === "pipe" && (def as z.core.$ZodPipeDef).in._zod.def.type === "transform";
}

function allowReference(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { type, minimum, maximum } = jsonSchema;
  jsonSchema.anyOf = [
    { type, minimum, maximum },
    { type: "string", pattern: REFERENCE },
  ];
  for (const moved of ["type", "minimum", "maximum"] as const) delete jsonSchema[moved];
}
