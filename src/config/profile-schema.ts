import { z } from "zod";
import {
  CALL_IDS,
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
} from "../catalog/facts.ts";
import { SERVER_NAMES } from "../catalog/server-facts.ts";
import { anyText, boolean, integer, keys, pattern, text } from "./fields.ts";

const NAMES = `${SERVER_NAMES.slice(0, -1).join(", ")} or ${SERVER_NAMES.at(-1)}`;

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}` });
}

function getList<Item extends z.ZodType>(item: Item, most: number) {
  const error = `must be a list of at most ${most}`;
  return z.array(item, { error }).max(most, { error });
}

const MOST_ROWS = 200;

const efforts = getList(oneOf(EFFORTS), EFFORTS.length);

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
  success: getList(anyText(), MOST_ROWS).optional().describe("Codes that say that nothing failed"),
});

const usageMember = () =>
  text(/^[\w-]{1,64}(?:\.[\w-]{1,64}){0,7}$/, 'must be members by dots, such as "cost.total_cost"');

const costPlace = keys({
  header: text(/^[!-9;-~]{1,128}$/, "must be the name of a header")
    .optional()
    .describe("Header of a whole answer"),
  members: getList(usageMember(), 8).optional().describe("Members of the usage, whose sum it is"),
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
  content: oneOf(CONTENT_FORMS).optional().describe("Send several texts of a message as parts, or joined"),
  lateInstructions: oneOf(LATE_INSTRUCTIONS)
    .optional()
    .describe("Keep instructions that follow other messages, or send them as the user's"),
  reasoningMember: oneOf(REASONING_MEMBERS).optional().describe("Member for returned reasoning"),
  reasoningHistory: oneOf(REASONING_HISTORIES)
    .optional()
    .describe("Return earlier reasoning: if available, always in turns with tool calls, or never"),
  callIds: oneOf(CALL_IDS).optional().describe("Ids of tool calls: any, or nine letters and digits"),
  toolChoices: oneOf(TOOL_CHOICES)
    .optional()
    .describe("Accepted tool_choice: tools by name, only auto, none and required, or only auto"),
  thinkingChoices: oneOf(THINKING_CHOICES)
    .optional()
    .describe("Accepted tool_choice while a model thinks: all, those that don't force a call, or only auto"),
  parallelToolCalls: boolean().optional().describe("Accepts parallel_tool_calls"),
  streamOptions: boolean().optional().describe("Accepts stream_options"),
  responseFormats: oneOf(RESPONSE_FORMATS).optional().describe("Best response_format that it accepts"),
  n: integer(1, 128).optional().describe("Largest n of a request"),
  logprobs: boolean().optional().describe("Accepts logprobs and top_logprobs"),
  cacheBreakpoints: boolean()
    .optional()
    .describe("Send cache marks of callers of other formats as prompt_cache_breakpoint"),
  cacheKeys: boolean().optional().describe("Send a prompt_cache_key for callers who don't set one"),
  flexTier: boolean().optional().describe("Accepts service_tier: flex, for models whose price has that tier"),
  toolKinds: oneOf(TOOL_KINDS)
    .optional()
    .describe(
      "Accepted tools: as-called: those of callers of its format; functions: only functions; custom: custom tools " +
        "of any caller",
    ),
  functionMembers: getList(oneOf(FUNCTION_MEMBERS), FUNCTION_MEMBERS.length)
    .optional()
    .describe("Members that every function needs; an empty one is sent if the caller omits it"),
  efforts: efforts.optional().describe("Efforts that it takes; another one is sent as the nearest, and is a loss"),
  modelThinking: getList(
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
  ignored: getList(oneOf(IGNORABLE_FIELDS), IGNORABLE_FIELDS.length)
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
  errors: getList(errorWord, MOST_ROWS).optional().describe("Meanings of its words in errors"),
  errorPlaces: getList(errorPlace, MOST_ROWS).optional().describe("Places of errors beyond error"),
  reportedCosts: getList(costPlace, MOST_ROWS)
    .optional()
    .describe("Places in which it reports what an answer cost, the first that has a figure; [] for costs by price"),
} satisfies Record<keyof ServerFacts, z.ZodType>;

type Facts = typeof facts;

const builtIn = z.enum(SERVER_NAMES, { error: `must be ${NAMES}` });

const base = builtIn.optional().describe("Built-in profile for the other settings; guessed from baseUrl if absent");

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
  chat: profileOn("chat").describe("The server's capabilities; guessed from baseUrl if absent"),
  responses: profileOn("responses").describe("The server's capabilities; guessed from baseUrl if absent"),
  messages: profileOn("messages").describe("The server's capabilities; guessed from baseUrl if absent"),
  converse: profileOn("converse").describe("The server's capabilities; guessed from baseUrl if absent"),
};
