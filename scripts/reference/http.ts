import { isNewerForm, type Schema } from "../../src/formats/shared/schema.ts";
import { API_PARTS, createDocument } from "../../src/openapi/document.ts";
import type { Operation, Parameter } from "../../src/openapi/operation.ts";
import { anchor, code, fence, page, table } from "./markdown.ts";

/** Returns the name of a schema that is referred to; undefined for one that stands in its place. */
function referredTo({ $ref: target }: Schema): string | undefined {
  return typeof target === "string" ? target.split("/").at(-1) : undefined;
}

function formsOf({ oneOf, anyOf }: Schema): readonly Schema[] {
  return ((oneOf ?? anyOf ?? []) as readonly Schema[]).filter((form) => !isNewerForm(form));
}

/** Describes the type of a value, with links to the schemas of the page. */
function describeType(schema: Schema): string {
  const name = referredTo(schema);
  if (name !== undefined) return `[${name}](${anchor(name)})`;
  const { type, items, enum: words } = schema;
  if (schema["const"] !== undefined) return code(String(schema["const"]));
  if (Array.isArray(words)) return words.map((word) => code(String(word))).join(", ");
  const forms = formsOf(schema);
  if (forms.length > 0) return [...new Set(forms.map(describeType))].join(" or ");
  if (type === "array") return `list of ${describeType((items ?? {}) as Schema)}`;
  const { minimum, maximum, additionalProperties: values } = schema;
  if (typeof values === "object") return `map of ${describeType(values as Schema)}`;
  const bounds = minimum === undefined && maximum === undefined ? "" : ` ${minimum ?? ""}..${maximum ?? ""}`;
  return `${Array.isArray(type) ? type.join(" or ") : (type ?? "any")}${bounds}`;
}

/** Lists the members of an object, and of the objects in it: `message.content`. */
function memberRows(schema: Schema, path = ""): string[][] {
  const members = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema["required"] ?? []) as readonly string[];
  return Object.entries(members).flatMap(([name, member]) => {
    const place = path === "" ? name : `${path}.${name}`;
    const inner = (member["items"] ?? member) as Schema;
    const forms = [inner, ...formsOf(inner)].filter((form) => form["properties"] !== undefined);
    const rows =
      forms.length === 1 ? memberRows(forms[0] ?? {}, member["items"] === undefined ? place : `${place}[]`) : [];
    const need = path === "" && required.includes(name) ? "yes" : "";
    return [[code(place), describeType(member), need, String(member["description"] ?? "")], ...rows];
  });
}

const MEMBER_HEADINGS = ["member", "type", "always", "meaning"];

function schemaSection(name: string, schema: Schema): string {
  const forms = formsOf(schema);
  const own = table(MEMBER_HEADINGS, memberRows(schema));
  const parts = forms.map((form) => {
    const rows = memberRows(form);
    const title = `${String(form["description"] ?? describeType(form))}:`;
    return rows.length === 0
      ? `- ${describeType(form)}: ${form["description"] ?? ""}`
      : `${title}\n\n${table(MEMBER_HEADINGS, rows)}`;
  });
  return [`### ${name}`, sentence(String(schema["description"] ?? "")), own, ...parts]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Ends a description. */
function sentence(description: string): string {
  return description === "" || description.endsWith(".") ? description : `${description}.`;
}

function parameterRows(kind: string, parameters: Readonly<Record<string, Parameter>> = {}): string[][] {
  return Object.entries(parameters).map(([name, { schema, description }]) => [
    code(name),
    kind,
    describeType(schema),
    description,
  ]);
}

function operationSection(operation: Operation): string {
  const { method, path, summary, description = "", parameters = {}, headers = [], body, examples, answer } = operation;
  const [example] = Object.values(examples).filter((each) => each.body !== undefined);
  const answers = Object.entries(answer.content).map(([type, { schema, event }]) => {
    const events = event === undefined ? "" : `, events of ${describeType(event)}`;
    return `${code(type)}: ${event === undefined ? describeType(schema) : "a stream"}${events}`;
  });
  return [
    `### ${method.toUpperCase()} ${path}`,
    // The comment of an RPC says what its name says.
    path.startsWith("/v1/admin/") ? sentence(description) : `${summary}. ${sentence(description)}`.trim(),
    table(
      ["parameter", "in", "type", "meaning"],
      [...parameterRows("path", parameters.path), ...parameterRows("query", parameters.query)],
    ),
    headers.length === 0 ? "" : `Headers: ${headers.map((name) => code(name)).join(", ")}.`,
    body === undefined ? "" : `Body: ${describeType(body.schema)}${body.isOptional === true ? ", or none" : ""}.`,
    example === undefined ? "" : fence("json", JSON.stringify(example.body, null, 2)),
    `Answer: ${answers.join("; ")}.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Returns the page of the HTTP API. */
export function httpPage(): string {
  const { schemas } = createDocument()["components"] as { readonly schemas: Readonly<Record<string, Schema>> };
  return page("HTTP", "`src/openapi`", [
    "Every HTTP route, with its request and response. [The API](../api.md) explains them. Send your key as " +
      "`authorization: Bearer KEY` or `x-api-key`. Members that are `null` count as absent. [Headers](headers.md) and " +
      "[errors](errors.md) have their own pages. As an OpenAPI document: [openapi.json](../openapi.json), " +
      "`GET /openapi.json` or `attune openapi`.",
    ...API_PARTS.map(({ tag, operations }) =>
      [`## ${tag.name}`, `${tag.description}.`, ...operations.map(operationSection)].join("\n\n"),
    ),
    "## Schemas",
    ...Object.entries(schemas).map(([name, schema]) => schemaSection(name, schema)),
  ]);
}
