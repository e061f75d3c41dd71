import { CARRIED as CHAT_CARRIED } from "../formats/chat/request/carried-members.ts";
import { CACHE_TTL_WORDS as MESSAGES_TTL_WORDS } from "../formats/messages/cache-control.ts";
import { CARRIED as MESSAGES_CARRIED } from "../formats/messages/request/carried-members.ts";
import { CARRIED as RESPONSES_CARRIED } from "../formats/responses/request/carried-members.ts";
import type { CarriedMembers } from "../formats/shared/carried-member.ts";
import { CACHE_TTL_WORDS } from "../formats/shared/openai-words.ts";
import { listWords } from "../formats/shared/words.ts";
import { type PlainField, plainFields } from "../hub/field-names.ts";
import type { Format } from "../hub/field-row.ts";
import { FIELDS } from "../hub/fields.ts";
import {
  anyObject,
  constant,
  flag,
  integer,
  type Members,
  number,
  ref,
  request,
  type Schema,
  text,
  word,
} from "./schema.ts";

const CARRIED: Readonly<Record<Format, CarriedMembers>> = {
  chat: CHAT_CARRIED,
  responses: RESPONSES_CARRIED,
  messages: MESSAGES_CARRIED,
};

const PLAIN: Readonly<Record<PlainField["type"], (description: string, bounds: Schema) => Schema>> = {
  boolean: (description) => flag(description),
  integer,
  number,
  string: (description) => text(description),
};

/** Returns the members that a format has as the hub has them, with their types and bounds from the table of fields. */
export function plainMembers(format: Format): Members {
  const members = plainFields(format).map(({ localName, member, type, bounds: { min, max } }): [string, Schema] => {
    const bounds = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
    const description = FIELDS["InferenceInput"]?.[localName]?.description;
    if (description === undefined)
      throw new Error(`${localName} goes as it is: its row in src/hub/fields.ts needs a description`);
    return [member, PLAIN[type](description, bounds)];
  });
  return Object.fromEntries(members);
}

/** Returns the members that a format carries, and the hub does not model. */
export function carriedMembers(format: Format): Members {
  return Object.fromEntries(Object.entries(CARRIED[format]).map(([name, { schema }]) => [name, schema]));
}

/** A model, in every request. */
export const MODEL = text("Id of a model, with the prefix or without, or an alias: `attune/claude-haiku-5-5`", {
  minLength: 1,
});

/** The answer as a stream, in every format. */
export const STREAM = flag("True for server-sent events as the answer is made");

const METADATA_SCHEMA: Schema = {
  type: "object",
  description: "Texts by name; `session_id` and `user_id` name the session and the end user, the others are tags",
  maxProperties: 16,
  additionalProperties: { type: "string", maxLength: 512 },
};

const BREAKPOINT_SCHEMA = request(
  { mode: word(["explicit"], "Kind of the mark"), ttl: word(listWords(CACHE_TTL_WORDS), "Lifetime") },
  "Marks the end of a part of the prompt for the upstream's cache",
  ["mode"],
);

const CACHE_CONTROL_SCHEMA = request(
  { type: word(["ephemeral"], "Kind of the mark"), ttl: word(listWords(MESSAGES_TTL_WORDS), "Lifetime") },
  "Marks the end of a part of the prompt for the upstream's cache",
  ["type"],
);

/** Schemas that the formats share, by their names in the document. */
export const SHARED: Members = {
  CacheBreakpoint: BREAKPOINT_SCHEMA,
  CacheControl: CACHE_CONTROL_SCHEMA,
  Metadata: METADATA_SCHEMA,
};

/** `metadata` of OpenAI's two formats. */
export const METADATA = ref("Metadata");

/** `prompt_cache_breakpoint` of OpenAI's two formats. */
export const BREAKPOINT = ref("CacheBreakpoint");

/** `cache_control` of Messages. */
export const CACHE_CONTROL = ref("CacheControl");

/** Members of a function that OpenAI's two formats have. */
export const FUNCTION: Members = {
  name: text("Name of the function", { minLength: 1 }),
  description: text("Purpose of the function, for the model"),
  parameters: anyObject("JSON schema of the arguments"),
  strict: flag("Whether arguments keep to the schema"),
};

/** Members of a tool that takes text. */
export const CUSTOM: Members = {
  name: text("Name of the tool", { minLength: 1 }),
  description: text("Purpose of the tool, for the model"),
  format: anyObject("Form of the input"),
};

/** Returns an object with a type, and its members. */
export function typed(type: string, members: Members, description: string, required = Object.keys(members)): Schema {
  return request({ type: constant(type), ...members }, description, ["type", ...required]);
}
