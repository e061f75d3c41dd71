import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OutputFormatSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import {
  decodedMember,
  flagMember,
  formMember,
  formsMember,
  jsonMember,
  type Member,
  required,
  textMember,
} from "../../shared/member.ts";
import { optional, readArray, readInteger, readName, readObject, WireError } from "../../shared/read.ts";
import { constant, integer, list, oneOf, text } from "../../shared/schema.ts";

const stop = text("A stop sequence", { minLength: 1 });

/** `stop`: one text or up to four. */
export const STOP: Member<string[]> = {
  read: (value, path) => {
    if (typeof value === "string") return [readName(value, path)];
    if (!Array.isArray(value)) throw new WireError(path, "must be a string or an array of strings");
    if (value.length > 4) throw new WireError(path, `must have at most 4 texts, not ${value.length}`);
    return value.map((item, index) => readName(item, `${path}[${index}]`));
  },
  schema: oneOf([stop, list(stop, "Up to four", { maxItems: 4 })], "Stop sequences"),
};

/** `stream_options`; its value has what the hub has no field for. */
export const STREAM_OPTIONS = decodedMember(
  { include_usage: flagMember("Whether a last chunk reports usage") },
  "Only for streams",
  (_values, { rest }) => ({ rest }),
);

/** Tells whether the client wants a usage chunk. */
export function wantsUsage(body: JsonObject): boolean {
  const options = optional(body.stream_options, "stream_options", readObject);
  return options?.include_usage === true;
}

/** Most answers to one request. */
const MOST_CHOICES = 8;

export const CHOICES: Member<number> = {
  read: (value, path) => {
    const count = readInteger(value, path, { min: 1 });
    if (count <= MOST_CHOICES) return count;
    throw new WireError(path, `must be at most ${MOST_CHOICES}: send several requests for more answers`);
  },
  schema: integer("Number of answers, each from its own call; all are in one record", {
    minimum: 1,
    maximum: MOST_CHOICES,
  }),
};

export const MODALITIES: Member = {
  read: (value, path) => {
    const other = readArray(value, path).findIndex((modality) => modality !== "text");
    if (other !== -1) throw new WireError(`${path}[${other}]`, "must be 'text': answers are text only");
  },
  schema: list(constant("text"), "Types of the answer: only text"),
};

/** A form that was decoded, and whether it holds what the hub does not model, so that its JSON must be kept whole. */
interface DecodedFormat {
  readonly format: MessageInitShape<typeof OutputFormatSchema> | undefined;
  readonly keep: boolean;
}

const JSON_SCHEMA = decodedMember(
  {
    name: required(textMember("Name of the schema")),
    description: textMember("Description of the answer, for the model"),
    schema: required(jsonMember("JSON schema of the answer")),
    strict: flagMember("Whether the answer must match the schema"),
  },
  "The schema",
  ({ schema, ...values }, { rest }) => ({ value: { ...values, schemaJson: JSON.stringify(schema) }, rest }),
);

/** `response_format`. */
export const FORMAT = formsMember<DecodedFormat>(
  "ChatFormat",
  {
    text: formMember("ChatTextFormat", ["text", {}, "Text"], (_values, { rest }) => ({
      format: { kind: { case: "text", value: {} } },
      keep: rest !== undefined,
    })),
    json_object: formMember("ChatJsonFormat", ["json_object", {}, "A JSON object"], (_values, { rest }) => ({
      format: { kind: { case: "jsonObject", value: {} } },
      keep: rest !== undefined,
    })),
    json_schema: formMember(
      "ChatSchemaFormat",
      ["json_schema", { json_schema: required(JSON_SCHEMA) }, "JSON of a schema"],
      ({ json_schema: { value, rest: inner } }, { rest }) => ({
        format: { kind: { case: "jsonSchema", value } },
        keep: rest !== undefined || inner !== undefined,
      }),
    ),
  },
  "Format of the answer",
  () => ({ format: undefined, keep: true }),
);
