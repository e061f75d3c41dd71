import { type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import {
  ContentBlockSchema,
  JsonSchemaSchema,
  ReasoningSchema,
  ToolSchema,
} from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { type Format, SAME } from "./field-row.ts";
import { FIELDS } from "./fields.ts";

/** Names of members by those that the hub has for them. */
export type MemberNames = Readonly<Record<string, string>>;

/** A field of the request that goes as it is. */
export interface PlainField {
  /** Name in the hub's message. */
  readonly localName: string;
  /** Name in the format. */
  readonly member: string;
  readonly type: "boolean" | "integer" | "number" | "string";
  readonly bounds: { readonly min?: number; readonly max?: number };
}

const TYPES: Partial<Record<ScalarType, PlainField["type"]>> = {
  [ScalarType.BOOL]: "boolean",
  [ScalarType.DOUBLE]: "number",
  [ScalarType.INT32]: "integer",
  [ScalarType.STRING]: "string",
};

/**
 * Lists the fields of the request that a format has as they are. Throws for a field that has no plain value, or none
 * that can be absent.
 */
export function plainFields(format: Format): readonly PlainField[] {
  return InferenceInputSchema.fields.flatMap((field) => {
    const fate = FIELDS["InferenceInput"]?.[field.localName]?.[format];
    if (typeof fate !== "object") return [];
    const type = field.fieldKind === "scalar" ? TYPES[field.scalar] : undefined;
    if (type === undefined || field.presence === FeatureSet_FieldPresence.IMPLICIT)
      throw new Error(`${field.name} is not optional, or no boolean, int32, double or string: it needs a codec`);
    const { member = field.name, ...bounds } = fate;
    return [{ localName: field.localName, member, type, bounds }];
  });
}

/** Messages inside a request whose rows have names that begin at the request. */
const INSIDE: readonly (readonly [field: string, schema: DescMessage])[] = [
  ["reasoning", ReasoningSchema],
  ["output_format", JsonSchemaSchema],
];

/** Returns the names that a format has for the fields of a message, where it has a member for them. */
function namesIn(format: Format, schema: DescMessage): (readonly [field: string, name: string])[] {
  return schema.fields.flatMap((field) => {
    const row = FIELDS[schema.name]?.[field.localName];
    const fate = row?.[format];
    const name = typeof fate === "object" ? (fate.member ?? field.name) : fate === SAME ? field.name : fate;
    return typeof name === "string" ? [[field.name, name] as const] : [];
  });
}

/** Returns the names of the request's fields in a format, `reasoning.effort` and the like among them. */
export function requestNames(format: Format): MemberNames {
  const inside = INSIDE.flatMap(([holder, schema]) =>
    namesIn(format, schema).map(([field, name]) => [`${holder}.${field}`, name]),
  );
  const headers = InferenceInputSchema.fields.flatMap(({ name, localName }) => {
    const header = FIELDS["InferenceInput"]?.[localName]?.header;
    return header === undefined ? [] : [[name, header]];
  });
  return Object.fromEntries([...namesIn(format, InferenceInputSchema), ...headers, ...inside]);
}

/** Returns the names of the members of each kind of block: those of `toolUse` and so on. */
export function blockNames(format: Format): Readonly<Record<string, MemberNames | undefined>> {
  return Object.fromEntries(
    ContentBlockSchema.fields.map(({ localName }) => [localName, memberNames(format, localName)] as const),
  );
}

/** Returns the names of the members of what a block is, or a tool: `toolUse`, `function`. */
export function memberNames(format: Format, kind: string): MemberNames {
  const field = [...ContentBlockSchema.fields, ...ToolSchema.fields].find(({ localName }) => localName === kind);
  return field?.message === undefined ? {} : Object.fromEntries(namesIn(format, field.message));
}

/**
 * Returns the members that the hub models of an object: of the request itself, or of what stands in it at `path`
 * (`output_config`), or of a block, a tool or a message whose fields stand in messages of the given types; and
 * `further`, which the format alone knows, or which end where they are read.
 */
export function knownMembers(
  format: Format,
  types: readonly DescMessage[],
  { path = "", further = [] }: { readonly path?: string; readonly further?: readonly string[] } = {},
): ReadonlySet<string> {
  const before = path === "" ? "" : `${path}.`;
  const names = types.flatMap((schema) => namesIn(format, schema).map(([, name]) => name));
  const inside = names.filter((name) => name.startsWith(before)).map((name) => name.slice(before.length));
  return new Set([...inside.map((name) => name.split(".", 1)[0] ?? name), ...further]);
}
