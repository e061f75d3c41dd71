import { z } from "zod";
import { SERVER_NAMES } from "../catalog/server-facts.ts";
import {
  CONTENT_FORMS,
  EFFORT_MODELS,
  EFFORTS,
  ENDS,
  ERROR_MEANINGS,
  FACT_ROUTES,
  FUNCTION_MEMBERS,
  IGNORABLE_FIELDS,
  INSTRUCTION_ROLES,
  LATE_INSTRUCTIONS,
  LIMIT_MEMBERS,
  REASONING_HISTORIES,
  REASONING_MEMBERS,
  RESPONSE_FORMATS,
  type Route,
  type ServerFacts,
  THINKING_CHOICES,
  THINKING_SWITCHES,
  TOOL_CHOICES,
  TOOL_KINDS,
} from "../hub/server-facts.ts";
import { anyText, boolean, integer, keys, pattern, text } from "./fields.ts";

const NAMES = `${SERVER_NAMES.slice(0, -1).join(", ")} or ${SERVER_NAMES.at(-1)}`;

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}` });
}

function listOf<Item extends z.ZodType>(item: Item, most: number) {
  const error = `must be a list of at most ${most}`;
  return z.array(item, { error }).max(most, { error });
}

const MOST_ROWS = 200;

const efforts = listOf(oneOf(EFFORTS), EFFORTS.length);

const errorWord = keys({
  code: anyText().optional().describe("Code, type or number of the error"),
  message: pattern().optional().describe("Regular expression that its message matches, in either case"),
  means: oneOf(ERROR_MEANINGS).describe("Meaning of the error"),
}).refine(({ code, message }) => code !== undefined || message !== undefined, {
  error: "must have code or message, or both",
});

const errorPlace = keys({
  member: anyText().optional().describe("Member of the body that holds the error; absent: the body itself"),
  code: anyText().describe("Member of its code"),
  message: anyText().describe("Member of its message"),
  success: listOf(anyText(), MOST_ROWS).optional().describe("Codes that say that nothing failed"),
});

const usageMember = () =>
  text(/^[\w-]{1,64}(?:\.[\w-]{1,64}){0,7}$/, 'must be members by dots, such as "cost.total_cost"');

const costPlace = keys({
  header: text(/^[!-9;-~]{1,128}$/, "must be the name of a header")
    .optional()
    .describe("Header of a whole answer"),
  members: listOf(usageMember(), 8).optional().describe("Members of the usage, whose sum it is"),
  onlyIf: usageMember().optional().describe("Member of the usage that must be true"),
  unless: usageMember().optional().describe("Member of the usage that must not be true"),
  unitsPerUsd: integer(1, Number.MAX_SAFE_INTEGER).optional().describe("Units of one USD; 1 if absent"),
  zeroIsUnknown: boolean().optional().describe("Whether 0 says that it knows no price"),
}).refine(({ header, members }) => (header === undefined) !== (members === undefined), {
  error: "must have either header or members",
});

/** The schema of each fact, all of them optional. */
const facts = {
  instructionRole: oneOf(INSTRUCTION_ROLES).optional().describe("Role of instructions"),
  limitMember: oneOf(LIMIT_MEMBERS).optional().describe("Name of the output limit"),
  content: oneOf(CONTENT_FORMS).optional().describe("Whether several texts of a message are parts, or one text"),
  lateInstructions: oneOf(LATE_INSTRUCTIONS)
    .optional()
    .describe("Whether instructions behind other messages stay, or are said by the user"),
  reasoningMember: oneOf(REASONING_MEMBERS).optional().describe("Member in which it gets its reasoning back"),
  reasoningHistory: oneOf(REASONING_HISTORIES)
    .optional()
    .describe("Whether reasoning goes back where it is there, in every turn that calls tools, or never"),
  toolChoices: oneOf(TOOL_CHOICES)
    .optional()
    .describe("Whether it takes a choice of one tool by its name, of the words alone, or of auto alone"),
  thinkingChoices: oneOf(THINKING_CHOICES)
    .optional()
    .describe("Choices of tools that it takes while a model thinks: all, those that demand no call, or auto alone"),
  parallelToolCalls: boolean().optional().describe("Whether it takes parallel_tool_calls"),
  streamOptions: boolean().optional().describe("Whether it takes stream_options"),
  responseFormats: oneOf(RESPONSE_FORMATS).optional().describe("Most that it takes as the form of an answer"),
  n: integer(1, 128).optional().describe("Most choices of one request"),
  logprobs: boolean().optional().describe("Whether it takes logprobs and top_logprobs"),
  cacheBreakpoints: boolean()
    .optional()
    .describe("Whether cache marks of callers of other formats are sent as prompt_cache_breakpoint"),
  cacheKeys: boolean().optional().describe("Whether it is sent a prompt_cache_key for callers who give none"),
  flexTier: boolean().optional().describe("Whether it takes service_tier: flex, for models whose price has that tier"),
  toolKinds: oneOf(TOOL_KINDS)
    .optional()
    .describe("Whether it takes the tools that its own callers have, functions alone, or custom tools of any caller"),
  functionMembers: listOf(oneOf(FUNCTION_MEMBERS), FUNCTION_MEMBERS.length)
    .optional()
    .describe("Members that it refuses a function without: where the caller has none, an empty one is sent"),
  efforts: efforts.optional().describe("Efforts that it takes; another one is sent as the nearest, and is a loss"),
  modelThinking: listOf(
    keys({
      models: pattern().describe("Regular expression of upstream model names, in either case"),
      thinks: boolean().optional().describe("Whether they think"),
      efforts: efforts.optional().describe("Efforts that they take"),
      thinkingSwitch: oneOf(THINKING_SWITCHES).optional().describe("Way to switch their thinking on and off"),
    }),
    MOST_ROWS,
  )
    .optional()
    .describe("Thinking by model, the first that matches"),
  effortModels: oneOf(EFFORT_MODELS)
    .optional()
    .describe("Whether efforts are sent to all models, or to those alone whose entry has thinking"),
  thinkingSwitch: oneOf(THINKING_SWITCHES).optional().describe("Way to switch thinking on and off"),
  mixesResults: boolean()
    .optional()
    .describe("Whether results of tools and the text behind them may be one turn; if not, they are sent as two"),
  ignored: listOf(oneOf(IGNORABLE_FIELDS), IGNORABLE_FIELDS.length)
    .optional()
    .describe("Fields that it takes and ignores: they are left out, and are losses"),
  thinksInStreams: boolean().optional().describe("Whether it thinks in streams alone"),
  thinkTags: boolean().optional().describe("Whether texts have thinking between <think> and </think>"),
  opensThinking: boolean()
    .optional()
    .describe("Whether texts begin inside thinking, as the template ends the prompt with <think>: only </think> comes"),
  tellsCuts: boolean().optional().describe("Whether it says that an answer was cut at its limit"),
  ends: z
    .record(anyText(), oneOf(ENDS), { error: "must be a map of words" })
    .optional()
    .describe("Meanings of its words for the end of an answer"),
  errors: listOf(errorWord, MOST_ROWS).optional().describe("Meanings of its words in errors"),
  errorPlaces: listOf(errorPlace, MOST_ROWS).optional().describe("Places of errors beyond error"),
  reportedCosts: listOf(costPlace, MOST_ROWS)
    .optional()
    .describe("Places in which it reports what an answer cost, the first that has a figure; [] for costs by price"),
} satisfies Record<keyof ServerFacts, z.ZodType>;

type Facts = typeof facts;

const builtIn = z.enum(SERVER_NAMES, { error: `must be ${NAMES}` });

const base = builtIn.optional().describe("Built-in profile for what is not said; if absent, guessed from baseUrl");

/** Returns the schema of the profile of a server on a route: the name of a built-in one, or facts of its own. */
function profileOn(route: Route) {
  const members = Object.fromEntries(
    Object.entries(facts).filter(([name]) => FACT_ROUTES[name as keyof Facts].includes(route)),
  ) as Facts;
  const error = `must be ${NAMES}, or a map with the keys base, ${Object.keys(members).join(", ")}`;
  return z.union([builtIn, keys({ base, ...members })], { error }).optional();
}

/** Profiles by route; each has the facts that bear on it. */
export const profiles = {
  chat: profileOn("chat").describe("What is known of the server; if absent, guessed from baseUrl"),
  responses: profileOn("responses").describe("What is known of the server; if absent, guessed from baseUrl"),
  messages: profileOn("messages").describe("What is known of the server; if absent, guessed from baseUrl"),
  converse: profileOn("converse").describe("What is known of the server; if absent, guessed from baseUrl"),
};
