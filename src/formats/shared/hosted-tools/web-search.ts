import { create } from "@bufbuild/protobuf";
import {
  Dialect,
  type RawJson,
  ToolChoiceMode,
  ToolChoiceSchema,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { isJsonObject, type JsonObject, lookAtJsonObject } from "../json.ts";
import type { LossList } from "../losses.ts";

/** Options of a web search that more formats than one have. */
const OPTIONS = ["max_uses", "allowed_domains", "blocked_domains", "user_location", "search_context_size"] as const;

/** One of them. */
type SearchOption = (typeof OPTIONS)[number];

/** The options of a web search: of each its value, and the member that the caller wrote it as. */
type SearchMembers = ReadonlyMap<SearchOption, { readonly value: unknown; readonly member: string }>;

/** A web search that a caller of one format asks the provider for. */
export interface RequestedSearch {
  /** The tool that asks for it; undefined for Chat's `web_search_options`, a member of the request. */
  readonly tool: number | undefined;
  readonly options: SearchMembers;
  /** Members that no other format has. */
  readonly others: readonly string[];
}

/** Name of the tool in Messages. */
export const SEARCH_NAME = "web_search";

/** Chat's member, of an extension. */
const CHAT_MEMBER = "web_search_options";

/** Member of a Responses request that bounds its calls of hosted tools. */
const MOST_CALLS = "max_tool_calls";

/** Types of the tool, whatever its version: @anthropic-ai/sdk 1.11 `WebSearchTool*`, openai 7.55 `WebSearchTool`. */
const MESSAGES_TYPE = /^web_search_\d{8}$/;
const RESPONSES_TYPE = /^web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/;

/** Tells whether a tool or a choice of another format means the web search. */
function isSearch({ dialect, json }: RawJson): boolean {
  const type = lookAtJsonObject(json)?.["type"];
  const known = dialect === Dialect.MESSAGES ? MESSAGES_TYPE : dialect === Dialect.RESPONSES ? RESPONSES_TYPE : /(?!)/;
  return typeof type === "string" && known.test(type);
}

/**
 * Finds the web search that a request of another format asks for; undefined if there is none that this format could
 * have. One that is not to go to the live web has no equal elsewhere, and one beside a function of its name none that a
 * choice could name.
 */
export function findSearch(input: InferenceInput, target: Dialect): RequestedSearch | undefined {
  for (const [tool, { kind }] of input.tools.entries()) {
    if (kind.case !== "opaque" || kind.value.dialect === target || !isSearch(kind.value)) continue;
    const json = lookAtJsonObject(kind.value.json) ?? {};
    if (json["external_web_access"] === false || hasNamesake(input)) return undefined;
    return { tool, ...(kind.value.dialect === Dialect.MESSAGES ? readMessages(json) : readResponses(json, input)) };
  }
  const { extension } = input;
  if (extension?.dialect !== Dialect.CHAT || target === Dialect.CHAT || hasNamesake(input)) return undefined;
  const options = extension.json.includes(CHAT_MEMBER) ? lookAtJsonObject(extension.json)?.[CHAT_MEMBER] : undefined;
  return isJsonObject(options) ? { tool: undefined, ...readChat(options) } : undefined;
}

function hasNamesake({ tools }: InferenceInput): boolean {
  return tools.some(({ kind }) => kind.case === "function" && kind.value.name === SEARCH_NAME);
}

/**
 * Returns the options that a target takes, and names all others as losses: no more is lost of the tool.
 */
export function carrySearch(
  { tool, options, others }: RequestedSearch,
  taken: readonly SearchOption[],
  losses: LossList,
): Partial<Record<SearchOption, unknown>> {
  const place = tool === undefined ? "" : `tools[${tool}]`;
  const carried: Partial<Record<SearchOption, unknown>> = {};
  if (tool !== undefined) losses.settle(place);
  for (const [option, { value, member }] of options) {
    if (taken.includes(option)) carried[option] = value;
    else if (member === MOST_CALLS) losses.said("", member, value);
    else losses.said(place, member, value);
  }
  for (const member of others) losses.member(place, member);
  return carried;
}

/**
 * Returns a request whose choice of the search names it, as it is named in Messages: a choice of one tool, whatever the
 * caller's format.
 */
export function nameSearch(input: HubInput, search: RequestedSearch | undefined): HubInput {
  const { toolChoice } = input;
  if (search === undefined || toolChoice?.mode !== ToolChoiceMode.OPAQUE || toolChoice.opaque === undefined)
    return input;
  if (!isSearch(toolChoice.opaque)) return input;
  const named = { mode: ToolChoiceMode.NAMED, name: SEARCH_NAME, kind: ToolKind.FUNCTION };
  return { ...input, toolChoice: create(ToolChoiceSchema, named) };
}

/** Tells whether a request's choice demands a search that its upstream is asked for. */
export function isSearchDemanded({ toolChoice }: InferenceInput, search: RequestedSearch | undefined): boolean {
  return search !== undefined && toolChoice?.mode === ToolChoiceMode.NAMED && toolChoice.name === SEARCH_NAME;
}

/** Tells whether a list of allowed tools has the search among them. */
export function isSearchAllowed({ toolChoice }: InferenceInput): boolean {
  const { opaque } = toolChoice ?? {};
  const tools = opaque === undefined ? undefined : lookAtJsonObject(opaque.json)?.["tools"];
  if (opaque === undefined || !Array.isArray(tools)) return false;
  return tools.some((tool) => isSearch({ ...opaque, json: JSON.stringify(tool) }));
}

/** Returns the members of a request's extension that say what the search says. */
export function searchMembers(
  search: RequestedSearch | undefined,
  taken: readonly SearchOption[],
): ReadonlySet<string> {
  const isBounded = taken.includes("max_uses") && search?.options.get("max_uses")?.member === MOST_CALLS;
  return new Set([
    ...(search !== undefined && search.tool === undefined ? [CHAT_MEMBER] : []),
    ...(isBounded ? [MOST_CALLS] : []),
  ]);
}

/** Reads the members of a search, of which some are options; what says nothing is left out. */
function read(json: JsonObject, names: OptionNames, prefix = "") {
  const present = Object.entries(json).filter(([, value]) => value !== undefined && value !== null);
  const options = new Map(
    present.flatMap(([name, value]) => {
      const option = Object.hasOwn(names, name) ? names[name] : undefined;
      return option === undefined ? [] : [[option, { value, member: prefix + name }] as const];
    }),
  );
  const others = present.filter(([name]) => !Object.hasOwn(names, name)).map(([name]) => prefix + name);
  return { options, others };
}

type OptionNames = Readonly<Record<string, SearchOption>>;

const MESSAGES_NAMES: OptionNames = {
  max_uses: "max_uses",
  allowed_domains: "allowed_domains",
  blocked_domains: "blocked_domains",
  user_location: "user_location",
};

/** Members on how the tool is offered are not about the search; `cache_control` is the hub's mark. */
function readMessages({ type: _type, name: _name, cache_control: _mark, ...json }: JsonObject) {
  return read(json, MESSAGES_NAMES);
}

const RESPONSES_NAMES: OptionNames = {
  user_location: "user_location",
  search_context_size: "search_context_size",
};
const FILTER_NAMES: OptionNames = { allowed_domains: "allowed_domains", blocked_domains: "blocked_domains" };

/** If the search is the only hosted tool, the bound of all their calls is that of its own. */
function readResponses(json: JsonObject, { tools, extension }: InferenceInput) {
  const { type: _type, filters, external_web_access: _live, ...members } = json;
  const own = read(members, RESPONSES_NAMES);
  const filtered = read(isJsonObject(filters) ? filters : {}, FILTER_NAMES, "filters.");
  const most = extension?.dialect === Dialect.RESPONSES ? lookAtJsonObject(extension.json)?.[MOST_CALLS] : undefined;
  const isAlone = tools.filter(({ kind }) => kind.case === "opaque").length === 1;
  const bound = typeof most === "number" && isAlone ? [["max_uses", { value: most, member: MOST_CALLS }] as const] : [];
  return {
    options: new Map([...own.options, ...filtered.options, ...bound]),
    others: [...own.others, ...filtered.others],
  };
}

/** Chat has the parts of the place one level down. */
function readChat(json: JsonObject) {
  const { user_location: location, ...members } = json;
  const { approximate } = isJsonObject(location) ? location : {};
  const flat = isJsonObject(approximate) ? { user_location: { type: "approximate", ...approximate } } : {};
  return read({ ...members, ...flat }, RESPONSES_NAMES, `${CHAT_MEMBER}.`);
}
