// Longer than 300 lines: a fact has its row in each of the tables below.

/** Members in which a Chat server takes its reasoning back; `thinking_blocks` are sent beside `reasoning_content`. */
export const REASONING_MEMBERS = [
  "reasoning_content",
  "reasoning",
  "reasoning_details",
  "thinking_blocks",
  "content",
] as const;

/** The treatment of reasoning in the history: sent where it is there, in every turn that calls tools, or never. */
export const REASONING_HISTORIES = ["optional", "required", "refused"] as const;

/** Roles of instructions: as the caller has it, or always one of them. */
export const INSTRUCTION_ROLES = ["as-called", "system", "developer"] as const;

/** Names of the output limit: as the caller has it, or always one of them. */
export const LIMIT_MEMBERS = ["as-called", "max_tokens", "max_completion_tokens"] as const;

/** Forms of content that is text alone: a list of parts where it has several, or always one text. */
export const CONTENT_FORMS = ["parts", "text"] as const;

/** The treatment of instructions behind other messages: they stay, or become what the user says. */
export const LATE_INSTRUCTIONS = ["keep", "user"] as const;

/** Ids of calls: as they are, or nine letters and digits. */
export const CALL_IDS = ["any", "alphanumeric9"] as const;

/** Choices of tools: also of one tool by its name, or the words `none`, `auto` and `required`, or `auto` alone. */
export const TOOL_CHOICES = ["named", "words", "auto"] as const;

/** Choices of tools that are taken while a model thinks: all, those that demand no call, or none but `auto`. */
export const THINKING_CHOICES = ["all", "undemanded", "auto"] as const;

/** Kinds of tools: those that its own callers have, functions alone, or tools with free text input from any caller. */
export const TOOL_KINDS = ["as-called", "functions", "custom"] as const;

/** Members of a function that a server may demand. */
export const FUNCTION_MEMBERS = ["description", "parameters"] as const;

/** Forms of an answer that can be asked for: the most that the server takes, and of some no less than a schema. */
export const RESPONSE_FORMATS = ["json_schema", "json_schema_only", "json_object", "none"] as const;

/** Efforts of thinking, from none to most. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** One of them. */
export type Effort = (typeof EFFORTS)[number];

/**
 * Ways to switch thinking on and off: the effort `none`, `thinking: {type}` with `enabled` or `adaptive`,
 * `enable_thinking`, which has a budget too, the same inside `chat_template_kwargs`, or no way at all.
 */
export const THINKING_SWITCHES = [
  "effort",
  "thinking",
  "adaptive_thinking",
  "enable_thinking",
  "chat_template_kwargs",
  "none",
] as const;

/** Fields of a request that a server may take and ignore: they are left out, and named as lost. */
export const IGNORABLE_FIELDS = ["stop_sequences", "output_format", "reasoning.effort"] as const;

/** One of them. */
export type IgnorableField = (typeof IGNORABLE_FIELDS)[number];

/** Models that an effort is sent to: all, or those alone whose entry in the catalog says how they think. */
export const EFFORT_MODELS = ["all", "thinking"] as const;

/** Meanings of an answer's end; `failed` is an answer that broke off at the server. */
export const ENDS = [
  "stop",
  "stop_sequence",
  "length",
  "context_window",
  "tool_use",
  "content_filter",
  "refusal",
  "pause",
  "failed",
] as const;

/** One of them. */
export type End = (typeof ENDS)[number];

/** Meanings of an error beyond those of its status. */
export const ERROR_MEANINGS = [
  "context_length",
  "model_not_found",
  "route_not_found",
  "invalid_request",
  "request_too_large",
  "rate_limited",
  "quota_exceeded",
  "content_filtered",
  "unauthenticated",
  "overloaded",
  "failed",
] as const;

/** One of them. */
export type ErrorMeaning = (typeof ERROR_MEANINGS)[number];

/** The words of an error, by its code, its message or both. */
export interface ErrorWord {
  /** The code, type or number that the error has. */
  readonly code?: string | undefined;
  /** A regular expression that the message matches in either case. */
  readonly message?: string | undefined;
  readonly means: ErrorMeaning;
}

/** A place of errors beyond `error`, in answers of any status. */
export interface ErrorPlace {
  /** The member that holds the error; absent: the body itself. */
  readonly member?: string | undefined;
  /** Members of the code and of the message. */
  readonly code: string;
  readonly message: string;
  /** Values of the code that say that nothing failed. */
  readonly success?: readonly string[] | undefined;
}

/**
 * A place in which a server reports the cost of an answer: a header of the response, or members of its usage. The first
 * place that has a figure counts.
 */
export interface CostPlace {
  /** Header of the response, in lower case; read of whole answers alone, for a stream sends it before its tokens. */
  readonly header?: string | undefined;
  /** Paths of members of the usage, such as `cost_details.upstream_inference_cost`: the cost is their sum. */
  readonly members?: readonly string[] | undefined;
  /** Member of the usage that must be true for the place to count. */
  readonly onlyIf?: string | undefined;
  /** Member of the usage that must not be true for the place to count. */
  readonly unless?: string | undefined;
  /** Units of one USD; 1 if absent. */
  readonly unitsPerUsd?: number | undefined;
  /** True if it reports 0 for what it has no price of. */
  readonly zeroIsUnknown?: boolean | undefined;
}

/** The thinking of the models whose upstream names match a pattern; the first that matches counts. */
export interface ModelThinking {
  /** A regular expression, in either case. */
  readonly models: string;
  /** False if they do not think. */
  readonly thinks?: boolean | undefined;
  /** As of the server if absent. */
  readonly efforts?: readonly Effort[] | undefined;
  readonly thinkingSwitch?: (typeof THINKING_SWITCHES)[number] | undefined;
}

/** The facts of a server, on one of its routes. */
export interface ServerFacts {
  readonly instructionRole: (typeof INSTRUCTION_ROLES)[number];
  readonly limitMember: (typeof LIMIT_MEMBERS)[number];
  readonly content: (typeof CONTENT_FORMS)[number];
  readonly lateInstructions: (typeof LATE_INSTRUCTIONS)[number];
  readonly reasoningMember: (typeof REASONING_MEMBERS)[number];
  readonly reasoningHistory: (typeof REASONING_HISTORIES)[number];
  readonly callIds: (typeof CALL_IDS)[number];
  readonly toolChoices: (typeof TOOL_CHOICES)[number];
  readonly thinkingChoices: (typeof THINKING_CHOICES)[number];
  /** True if it takes `parallel_tool_calls`. */
  readonly parallelToolCalls: boolean;
  /** True if it takes `stream_options`; one that does not tells the usage of a stream unasked, if at all. */
  readonly streamOptions: boolean;
  readonly responseFormats: (typeof RESPONSE_FORMATS)[number];
  /** Largest n of a request. */
  readonly n: number;
  /** True if it takes `logprobs` and `top_logprobs`. */
  readonly logprobs: boolean;
  /** True if it takes cache breakpoints of callers who speak another format. */
  readonly cacheBreakpoints: boolean;
  /** True if it is sent a cache key for callers who give none. */
  readonly cacheKeys: boolean;
  /** True if it takes `service_tier: "flex"`, which costs less and may find no room. */
  readonly flexTier: boolean;
  readonly toolKinds: (typeof TOOL_KINDS)[number];
  /** Members that it refuses a function without; where the caller has none, it is sent an empty one. */
  readonly functionMembers: readonly (typeof FUNCTION_MEMBERS)[number][];
  /** Efforts that it takes; another one is sent as the nearest of them. */
  readonly efforts: readonly Effort[];
  readonly modelThinking: readonly ModelThinking[];
  readonly effortModels: (typeof EFFORT_MODELS)[number];
  readonly thinkingSwitch: (typeof THINKING_SWITCHES)[number];
  /** False if it reads the text of a turn before the results of tools that stand before it. */
  readonly mixesResults: boolean;
  /** Fields that it takes and ignores. */
  readonly ignored: readonly IgnorableField[];
  /** True if it thinks only in streams, so that a whole answer is asked for as one. */
  readonly thinksInStreams: boolean;
  /** True if texts begin with thinking between `<think>` and `</think>`. */
  readonly thinkTags: boolean;
  /** True if texts begin inside thinking: its template ends the prompt with `<think>`, and only `</think>` comes. */
  readonly opensThinking: boolean;
  /** True if it says that an answer was cut at its limit; where it does not, the tokens tell. */
  readonly tellsCuts: boolean;
  /** Words of an answer's end beyond those of the formats. */
  readonly ends: Readonly<Record<string, End>>;
  readonly errors: readonly ErrorWord[];
  readonly errorPlaces: readonly ErrorPlace[];
  /** Places in which it reports what an answer cost. */
  readonly reportedCosts: readonly CostPlace[];
}

/** The routes that a server may have. */
export const ROUTES = ["chat", "responses", "messages", "converse"] as const;

/** One of them. */
export type Route = (typeof ROUTES)[number];

/** Routes that a fact bears on; on others it would say nothing. */
export const FACT_ROUTES: Readonly<Record<keyof ServerFacts, readonly Route[]>> = {
  instructionRole: ["chat", "responses"],
  limitMember: ["chat"],
  content: ["chat"],
  lateInstructions: ["chat"],
  reasoningMember: ["chat"],
  reasoningHistory: ["chat"],
  callIds: ["chat"],
  toolChoices: ["chat", "responses", "messages"],
  thinkingChoices: ["chat"],
  parallelToolCalls: ["chat"],
  streamOptions: ["chat"],
  responseFormats: ["chat"],
  n: ["chat"],
  logprobs: ["chat"],
  cacheBreakpoints: ["chat", "responses"],
  cacheKeys: ["chat", "responses"],
  flexTier: ["chat", "responses"],
  toolKinds: ["chat", "responses"],
  functionMembers: ["chat", "responses"],
  efforts: ["chat", "responses"],
  modelThinking: ["chat", "responses"],
  effortModels: ["chat", "responses"],
  thinkingSwitch: ["chat", "responses"],
  mixesResults: ["messages"],
  ignored: ["chat", "responses", "messages"],
  thinksInStreams: ["chat"],
  thinkTags: ["chat", "responses", "messages"],
  opensThinking: ["chat", "responses", "messages"],
  tellsCuts: ["chat", "responses", "messages"],
  ends: ROUTES,
  errors: ROUTES,
  errorPlaces: ROUTES,
  reportedCosts: ["chat", "responses", "messages"],
};

/** The open models of OpenAI think by their template, which has these efforts and no switch, whoever serves them. */
export const GPT_OSS = {
  models: "gpt-oss",
  efforts: ["low", "medium", "high"],
  thinkingSwitch: "effort",
} as const satisfies ModelThinking;

/**
 * The facts of a server that nothing is known of: what nearly all servers of the format take, and what callers ask for
 * goes out as it is (docs/decisions/0063-chat-profiles.md).
 */
export const UNKNOWN_SERVER: ServerFacts = {
  instructionRole: "system",
  limitMember: "as-called",
  content: "parts",
  lateInstructions: "keep",
  reasoningMember: "reasoning_content",
  reasoningHistory: "optional",
  callIds: "any",
  toolChoices: "named",
  thinkingChoices: "all",
  parallelToolCalls: true,
  streamOptions: true,
  responseFormats: "json_schema",
  n: 1,
  logprobs: true,
  cacheBreakpoints: false,
  cacheKeys: false,
  flexTier: false,
  toolKinds: "as-called",
  functionMembers: [],
  efforts: EFFORTS,
  modelThinking: [GPT_OSS],
  effortModels: "all",
  thinkingSwitch: "effort",
  mixesResults: true,
  ignored: [],
  thinksInStreams: false,
  thinkTags: false,
  opensThinking: false,
  tellsCuts: true,
  ends: {},
  errors: [],
  errorPlaces: [],
  reportedCosts: [],
};

/** The same by route: the Responses format has both roles of instructions, and most of its servers take both. */
export const UNKNOWN_ON_ROUTE: Readonly<Record<Route, ServerFacts>> = {
  chat: UNKNOWN_SERVER,
  responses: { ...UNKNOWN_SERVER, instructionRole: "as-called" },
  messages: UNKNOWN_SERVER,
  converse: UNKNOWN_SERVER,
};
