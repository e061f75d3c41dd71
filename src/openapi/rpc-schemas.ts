import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  ScalarType,
} from "@bufbuild/protobuf";
import { COMMENTS } from "../../gen/attune/comments.ts";
import { type Members, ref, type Schema } from "../formats/shared/schema.ts";
import { capitalize } from "../lib/letter-case.ts";

/** Types of scalars in JSON where an API of routes has them: 64-bit numbers are numbers. */
const SCALARS: Readonly<Record<ScalarType, Schema>> = {
  [ScalarType.STRING]: { type: "string" },
  [ScalarType.BYTES]: { type: "string", contentEncoding: "base64" },
  [ScalarType.BOOL]: { type: "boolean" },
  [ScalarType.DOUBLE]: { type: "number", format: "double" },
  [ScalarType.FLOAT]: { type: "number", format: "float" },
  [ScalarType.INT32]: { type: "integer", format: "int32" },
  [ScalarType.UINT32]: { type: "integer", format: "int64" },
  [ScalarType.SINT32]: { type: "integer", format: "int32" },
  [ScalarType.FIXED32]: { type: "integer", format: "int64" },
  [ScalarType.SFIXED32]: { type: "integer", format: "int32" },
  [ScalarType.INT64]: { type: "integer", format: "int64" },
  [ScalarType.UINT64]: { type: "integer", format: "int64" },
  [ScalarType.SINT64]: { type: "integer", format: "int64" },
  [ScalarType.FIXED64]: { type: "integer", format: "int64" },
  [ScalarType.SFIXED64]: { type: "integer", format: "int64" },
};

/** Messages that JSON has as texts. */
const TEXTS: Readonly<Record<string, Schema>> = {
  "google.protobuf.Timestamp": { type: "string", format: "date-time" },
  "google.protobuf.Duration": { type: "string", pattern: "^-?\\d+(\\.\\d+)?s$" },
  "google.protobuf.FieldMask": { type: "string" },
};

/** The side of a message, request or answer: in an answer all members are there. */
type Use = "request" | "answer";

/** Describes messages of RPCs as JSON has them, and keeps the schemas of those that are inside of others. */
export class RpcSchemas {
  /** By their names in the document. */
  readonly schemas: Record<string, Schema> = {};

  /** Describes the fields of a message but one, by their names. In an answer, what is not known is null. */
  members(message: DescMessage, use: Use, except?: string): Members {
    const fields = message.fields.filter(({ name }) => name !== except);
    return Object.fromEntries(
      fields.map((field) => [
        field.name,
        { ...this.#describeField(field, use), description: commentOf(message, field) },
      ]),
    );
  }

  #describeField(field: DescField, use: Use): Schema {
    const schema = this.#describeOne(field, use);
    if (field.fieldKind === "list") return { type: "array", items: schema };
    if (field.fieldKind === "map") return { type: "object", additionalProperties: schema };
    return use === "request" || isAlwaysThere(field) ? schema : { anyOf: [schema, { type: "null" }] };
  }

  #describeOne({ message, enum: words, scalar }: DescField, use: Use): Schema {
    if (message !== undefined) return TEXTS[message.typeName] ?? this.#refer(message, use);
    if (words !== undefined) return { type: "string", enum: enumWords(words) };
    return scalar === undefined ? {} : SCALARS[scalar];
  }

  #refer(message: DescMessage, use: Use): Schema {
    const name = `${schemaName(message)}${use === "request" ? "Input" : ""}`;
    if (this.schemas[name] === undefined) {
      // A message may be inside of itself.
      this.schemas[name] = {};
      const properties = this.members(message, use);
      const rest = use === "request" ? { additionalProperties: false } : { required: Object.keys(properties) };
      this.schemas[name] = { type: "object", description: commentOf(message), properties, ...rest };
    }
    return ref(name);
  }
}

/** Returns the comment of a message, or of its field or of a method of a service, without the stop of a single sentence. */
export function commentOf({ typeName }: DescMessage | DescService, member?: DescField | DescMethod): string {
  const name = member === undefined ? typeName : `${typeName}.${member.name}`;
  const comment = COMMENTS[name] ?? name;
  return comment.includes(". ") ? comment : comment.replace(/\.$/, "");
}

/**
 * Returns the name of a message in the document: attune.admin.v1.Key is AdminKey, and ListKeysResponse
 * AdminListKeysResult, since generators name their own wrappers of an operation's answer `...Response`.
 */
export function schemaName({ typeName, name }: DescMessage): string {
  const [, room = ""] = typeName.split(".");
  return `${capitalize(room)}${name.replace(/Response$/, "Result")}`;
}

/** An enum has no word for its first value, and a message and an optional field may be absent. */
function isAlwaysThere(field: DescField): boolean {
  return field.fieldKind === "scalar" && field.oneof === undefined && !field.proto.proto3Optional;
}

/** Values of an enum by words: KEY_STATE_ACTIVE is active. */
function enumWords({ values }: DescEnum): readonly string[] {
  return values.filter(({ number }) => number !== 0).map(({ localName }) => localName.toLowerCase());
}
