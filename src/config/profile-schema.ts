import { z } from "zod";
import { PROFILE_NAMES } from "../catalog/chat-profiles.ts";
import {
  CONTENT_FORMS,
  INSTRUCTION_ROLES,
  LATE_INSTRUCTIONS,
  LIMIT_MEMBERS,
  REASONING_HISTORIES,
  REASONING_MEMBERS,
  RESPONSE_FORMATS,
  TOOL_CHOICES,
  TOOL_KINDS,
} from "../hub/chat-profile.ts";
import { boolean, integer, keys } from "./fields.ts";

const NAMES = `${PROFILE_NAMES.slice(0, -1).join(", ")} or ${PROFILE_NAMES.at(-1)}`;

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}` });
}

const builtIn = z.enum(PROFILE_NAMES, { error: `must be ${NAMES}` });

const commonMembers = {
  base: builtIn.optional().describe("Built-in profile for what is not said; if absent, guessed from baseUrl"),
  cacheBreakpoints: boolean()
    .optional()
    .describe("Whether cache marks of callers of other formats are sent as prompt_cache_breakpoint"),
  cacheKeys: boolean().optional().describe("Whether it is sent a prompt_cache_key for callers who give none"),
  toolKinds: oneOf(TOOL_KINDS)
    .optional()
    .describe("Whether it takes the tools that its own callers have, functions alone, or custom tools of any caller"),
};

const chatMembers = {
  ...commonMembers,
  instructionRole: oneOf(INSTRUCTION_ROLES).optional().describe("Role of instructions"),
  limitMember: oneOf(LIMIT_MEMBERS).optional().describe("Name of the limit of an answer"),
  content: oneOf(CONTENT_FORMS).optional().describe("Whether several texts of a message are parts, or one text"),
  lateInstructions: oneOf(LATE_INSTRUCTIONS)
    .optional()
    .describe("Whether instructions behind other messages stay, or are said by the user"),
  reasoningMember: oneOf(REASONING_MEMBERS).optional().describe("Member in which it gets its reasoning back"),
  reasoningHistory: oneOf(REASONING_HISTORIES)
    .optional()
    .describe("Whether reasoning goes back where it is there, in every turn that calls tools, or never"),
  toolChoices: oneOf(TOOL_CHOICES).optional().describe("Whether it takes a choice of one tool by its name"),
  parallelToolCalls: boolean().optional().describe("Whether it takes parallel_tool_calls"),
  streamOptions: boolean().optional().describe("Whether it takes stream_options"),
  responseFormats: oneOf(RESPONSE_FORMATS).optional().describe("Most that it takes as response_format"),
  n: integer(1, 128).optional().describe("Most choices of one request"),
  logprobs: boolean().optional().describe("Whether it takes logprobs and top_logprobs"),
};

function profileOf<Shape extends z.ZodRawShape>(members: Shape) {
  const error = `must be ${NAMES}, or a map with the keys ${Object.keys(members).join(", ")}`;
  return z.union([builtIn, keys(members)], { error }).optional();
}

/** The profile of a server of the Chat format: the name of a built-in one, or members of its own. */
export const chatProfile = profileOf(chatMembers).describe("What the server takes; if absent, guessed from baseUrl");

/** The profile of a server of the Responses format, of which only its cache and its tools differ. */
export const responsesProfile = profileOf(commonMembers).describe(
  "What the server takes of caches and tools; if absent, guessed from baseUrl",
);
