import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type OutputFormat,
  OutputFormatSchema,
  type ReasoningSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { capitalize } from "../../../lib/letter-case.ts";
import type { JsonObject } from "../../shared/json.ts";
import {
  decodedMember,
  formMember,
  formsMember,
  integerMember,
  jsonMember,
  type Member,
  required,
  wordMember,
} from "../../shared/member.ts";
import { optional, readInteger, readString } from "../../shared/read.ts";
import { listWords, readOpenWord } from "../../shared/words.ts";
import { messagesJson } from "../raw-json.ts";
import { EFFORT_WORDS, THINKING_MODE_WORDS } from "../reasoning-words.ts";

interface DecodedFormat {
  readonly format?: OutputFormat;
  readonly rest: JsonObject | undefined;
}

/** `output_config.format`; a form of a type that is not known is kept whole. */
export const FORMAT = formsMember<DecodedFormat>(
  "MessageFormat",
  {
    json_schema: formMember(
      "MessageSchemaFormat",
      ["json_schema", { schema: required(jsonMember("JSON schema of the answer")) }, "JSON of a schema"],
      ({ schema }, { rest }) => {
        const value = { schemaJson: JSON.stringify(schema) };
        return { format: create(OutputFormatSchema, { kind: { case: "jsonSchema", value } }), rest };
      },
    ),
  },
  "Format of the answer",
  (format) => ({ rest: format }),
  readOpenWord,
);

/** `output_config`; `rest` has its members that the hub does not know, in their places. */
export const OUTPUT_CONFIG = decodedMember(
  { effort: wordMember(listWords(EFFORT_WORDS), "Effort"), format: FORMAT },
  "Format of the answer",
  ({ effort, format }, { rest }) => ({
    effort: effort === undefined ? undefined : EFFORT_WORDS[effort],
    format: format?.format,
    rest: format?.rest === undefined ? rest : { ...rest, format: format.rest },
  }),
);

type ReasoningInit = MessageInitShape<typeof ReasoningSchema>;

const DISPLAY = { display: wordMember(["summarized", "omitted"], "Reasoning that the answer shows") };
const BUDGET = {
  // Fewest tokens that may be set aside for thinking.
  budget_tokens: required(integerMember("Maximum reasoning tokens", { min: 1024 })),
};

function thinkingForm(mode: keyof typeof THINKING_MODE_WORDS): Member<ReasoningInit> {
  const name = `MessageThinking${capitalize(mode)}`;
  const init = { mode: THINKING_MODE_WORDS[mode] };
  return mode === "enabled"
    ? formMember(name, [mode, { ...BUDGET, ...DISPLAY }, "With a budget"], (values, { rest }) => ({
        ...init,
        budgetTokens: values.budget_tokens,
        display: values.display,
        extension: messagesJson(rest),
      }))
    : formMember(name, [mode, DISPLAY, `Of the kind ${mode}`], ({ display }, { rest }) => ({
        ...init,
        display,
        extension: messagesJson(rest),
      }));
}

/** `thinking`. Of one of an unknown type all is kept, since its members are unknown too. */
export const THINKING = formsMember<ReasoningInit>(
  "MessageThinking",
  Object.fromEntries(listWords(THINKING_MODE_WORDS).map((mode) => [mode, thinkingForm(mode)])),
  "Reasoning",
  (thinking, { path }) => {
    optional(thinking["budget_tokens"], `${path}.budget_tokens`, readInteger);
    optional(thinking["display"], `${path}.display`, readString);
    return { extension: messagesJson(thinking) };
  },
  readOpenWord,
);
