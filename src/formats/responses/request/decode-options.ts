import { create } from "@bufbuild/protobuf";
import {
  type OutputFormat,
  OutputFormatSchema,
  ReasoningSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import {
  decodedMember,
  flagMember,
  formMember,
  formsMember,
  jsonMember,
  nameMember,
  required,
  textMember,
  wordMember,
} from "../../shared/member.ts";
import { EFFORT_WORDS, SUMMARY_WORDS, VERBOSITY_WORDS } from "../../shared/openai-words.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { listWords } from "../../shared/words.ts";

/** `reasoning`. */
export const REASONING = decodedMember(
  {
    effort: wordMember(listWords(EFFORT_WORDS), "Effort of reasoning"),
    summary: wordMember(SUMMARY_WORDS, "Length of its summary"),
  },
  "Reasoning",
  ({ effort, summary }, { rest }) =>
    create(ReasoningSchema, {
      ...(effort === undefined ? {} : { effort: EFFORT_WORDS[effort] }),
      summary,
      extension: responsesJson(rest),
    }),
);

interface DecodedFormat {
  readonly format?: OutputFormat;
  readonly rest: JsonObject | undefined;
}

/** `text.format`; a form of a type that is not known is kept whole. */
export const FORMAT = formsMember<DecodedFormat>(
  "ResponseFormat",
  {
    text: formMember("ResponseTextFormat", ["text", {}, "Text"], (_values, { rest }) => ({
      format: create(OutputFormatSchema, { kind: { case: "text", value: {} } }),
      rest,
    })),
    json_object: formMember("ResponseJsonFormat", ["json_object", {}, "A JSON object"], (_values, { rest }) => ({
      format: create(OutputFormatSchema, { kind: { case: "jsonObject", value: {} } }),
      rest,
    })),
    json_schema: formMember(
      "ResponseSchemaFormat",
      [
        "json_schema",
        {
          name: required(nameMember("Name of the schema")),
          description: textMember("Description of the answer, for the model"),
          schema: required(jsonMember("JSON schema of the answer")),
          strict: flagMember("Whether the answer must match the schema"),
        },
        "JSON of a schema",
      ],
      ({ name, description, schema, strict }, { rest }) => {
        const value = { name, description, schemaJson: JSON.stringify(schema), strict };
        return { format: create(OutputFormatSchema, { kind: { case: "jsonSchema", value } }), rest };
      },
    ),
  },
  "Format of the answer",
  (format) => ({ rest: format }),
);

/** `text`; `rest` has its members that only the format knows, in their places. */
export const TEXT = decodedMember(
  { format: FORMAT, verbosity: wordMember(VERBOSITY_WORDS, "Length of the answer") },
  "Format of the answer",
  ({ format, verbosity }, { rest }) => ({
    outputFormat: format?.format,
    verbosity,
    rest: format?.rest === undefined ? rest : { ...rest, format: format.rest },
  }),
);
