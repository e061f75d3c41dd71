import { configJsonSchema } from "../../src/config/json-schema.ts";
import { code, page, table } from "./markdown.ts";

/** A schema, as zod writes it in the words of JSON Schema. */
interface Schema {
  readonly [keyword: string]: unknown;
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
}

/** Describes the type of a value, with its bounds. */
function describeType(schema: Schema): string {
  const { type, anyOf, oneOf, items, minimum, maximum } = schema;
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(", ");
  if (anyOf !== undefined || oneOf !== undefined) {
    // The other form is a reference to the environment, which may stand for any number and switch.
    const forms = (anyOf ?? oneOf ?? []).filter(
      ({ type: form, pattern }) => form !== "string" || pattern === undefined,
    );
    return [...new Set(forms.map(describeType))].join(" or ");
  }
  if (type === "array") return `list of ${describeType(items ?? {})}`;
  if (type === "object" && schema.properties === undefined) return "map";
  const bounds = minimum === undefined && maximum === undefined ? "" : ` ${minimum ?? ""}..${maximum ?? ""}`;
  return `${type ?? "any"}${bounds}`;
}

function describeDefault(schema: Schema, isRequired: boolean): string {
  if (isRequired) return "required";
  const { default: value } = schema;
  return value === undefined || typeof value === "object" ? code(emptyOf(value)) : code(JSON.stringify(value));
}

function emptyOf(value: unknown): string {
  const text = value === undefined ? "" : JSON.stringify(value);
  return text === "{}" || text === "[]" ? text : "";
}

/** Keys that have the same keys below them as another one before, by what these are. */
type Shapes = Map<string, string>;

/** Fewest keys that are worth referring to. */
const WORTH_REFERRING = 4;

/** Returns forms as one, which has the keys of all; where each has a word of its own, it may be any of them. */
function merge(forms: readonly Schema[]): Schema {
  const properties: Record<string, Schema> = {};
  for (const [name, member] of forms.flatMap((form) => Object.entries(form.properties ?? {}))) {
    const known = properties[name];
    if (member.const === undefined) properties[name] = known ?? member;
    else {
      const meanings = [known?.description ?? [], `\`${String(member.const)}\`: ${member.description ?? ""}`].flat();
      properties[name] = { enum: [...(known?.enum ?? []), member.const], description: meanings.join("; ") };
    }
  }
  return { properties, required: forms[0]?.required ?? [] };
}

/** Lists the rows of the keys of a schema. */
function rowsOf(schema: Schema, path: string, shapes: Shapes): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const key = path === "" ? name : `${path}.${name}`;
    const same = sameShape(member, key, shapes);
    const isRequired = schema.required?.includes(name) === true;
    const isGroup = member.properties !== undefined;
    const preset = isGroup && !isRequired ? "" : describeDefault(member, isRequired);
    const meaning = `${member.description ?? ""}${same === undefined ? "" : `; its keys are those of \`${same}\``}`;
    const row = [code(key), isGroup ? "" : describeType(member), preset, meaning];
    return [row, ...(same === undefined ? innerRows(member, key, shapes) : [])];
  });
}

/** Returns the key before that has the same keys below it; undefined if there is none. */
function sameShape({ properties = {} }: Schema, key: string, shapes: Shapes): string | undefined {
  const names = Object.keys(properties);
  if (names.length < WORTH_REFERRING) return undefined;
  const shape = names.join();
  const same = shapes.get(shape);
  if (same === undefined) shapes.set(shape, key);
  return same;
}

function innerRows(schema: Schema, key: string, shapes: Shapes): string[][] {
  const { items, additionalProperties: values } = schema;
  const forms = (schema.anyOf ?? schema.oneOf ?? []).filter(({ properties }) => properties !== undefined);
  return [
    ...rowsOf(schema, key, shapes),
    ...(items === undefined ? [] : innerRows(items, `${key}[]`, shapes)),
    ...(typeof values === "object" ? innerRows(values, `${key}.NAME`, shapes) : []),
    ...(forms.length === 0 ? [] : rowsOf(merge(forms), key, shapes)),
  ];
}

/** Returns the page of the configuration. */
export function configurationPage(): string {
  const schema = configJsonSchema() as Schema;
  const sections = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const rows = rowsOf({ properties: { [name]: member } }, "", new Map());
    return `## ${name}\n\n${table(["key", "type", "default", "meaning"], rows)}`;
  });
  return page("Configuration: all settings", "`src/config/schema.ts`", [
    "Every setting of `attune.yaml`, with type, default and meaning. `NAME` is a name that you choose, and `[]` an " +
      "item of a list. Begin with [the ten settings that matter](../configuration.md).",
    ...sections,
  ]);
}
