import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isNewerForm, type Schema } from "../../src/formats/shared/schema.ts";
import { createDocument } from "../../src/openapi/document.ts";

/** Checks answers more strictly than clients do: an object has no member, and no form, that the document lacks. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => !isNewerForm((each ?? {}) as Schema)).map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, closed(each)]));
  const isObject = typeof copy["properties"] === "object" && copy["type"] === "object";
  return isObject && !("additionalProperties" in copy) ? { ...copy, additionalProperties: false } : copy;
}

/** Returns what finds the problems of a value by a schema of the document. */
export function createFinder() {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const components = createDocument()["components"] as { readonly schemas: Record<string, Schema> };
  ajv.addSchema({ $id: "document", components: { schemas: closed(components.schemas) } });
  const compiled = new Map<string, ValidateFunction>();
  return (schema: Schema, value: unknown): string[] => {
    const text = JSON.stringify(closed(schema)).replaceAll('"#/components', '"document#/components');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
        );
  };
}
