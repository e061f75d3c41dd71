import { Dialect, type RawJson } from "../../../gen/attune/content/v1/content_pb.ts";
import { isObject } from "../../lib/is-object.ts";

/** A page that a search found. */
interface FoundPage {
  readonly url: string;
}

/**
 * A web search that the provider ran, as a block that one format alone knows tells it. Messages has a block for the
 * call and one for what it found, Responses an item. Sources: ServerToolUseBlock and WebSearchToolResultBlock of
 * @anthropic-ai/sdk 1.11, ResponseFunctionWebSearch of openai 7.55.
 */
export interface SearchPart {
  /** The format of the block. */
  readonly dialect: Dialect;
  /** Identifier of the search at its provider: its blocks have the same. */
  readonly id: string;
  /** The words that were searched for; absent where the block does not tell. */
  readonly queries?: readonly string[];
  /** The pages that it found, in their order; absent where the block does not tell. */
  readonly pages?: readonly FoundPage[];
  /** True if it failed. */
  readonly isFailed?: boolean;
  /** Members that only the format of the block has, by their names in losses. */
  readonly others: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

/** Reads a block that one format alone knows; undefined for one that tells of no search of the web. */
export function readSearchPart({ dialect, json }: RawJson): SearchPart | undefined {
  if (dialect !== Dialect.MESSAGES && dialect !== Dialect.RESPONSES) return undefined;
  // Most other blocks are told by this alone.
  if (!json.includes('"web_search')) return undefined;
  const block = parse(json);
  if (dialect === Dialect.RESPONSES) return block["type"] === "web_search_call" ? readItem(block) : undefined;
  if (block["type"] === "server_tool_use") return block["name"] === "web_search" ? readCall(block) : undefined;
  return block["type"] === "web_search_tool_result" ? readResult(block) : undefined;
}

/**
 * Returns the names of what the form of a caller's format cannot say of a block that tells of a search; undefined for
 * any other block, and where the format has no form for it.
 */
export function lostOfSearch(raw: RawJson, caller: Dialect): readonly string[] | undefined {
  if (raw.dialect === caller || caller === Dialect.CHAT) return undefined;
  const part = readSearchPart(raw);
  if (part === undefined || (caller === Dialect.MESSAGES && !hasResult(part))) return undefined;
  return part.others;
}

/** Tells whether a search tells what the blocks of Messages have to: its words, and what came of it. */
export function hasResult({ queries, pages, isFailed }: SearchPart): boolean {
  return queries !== undefined && (pages !== undefined || isFailed === true);
}

function readCall({ id, input }: Members): SearchPart {
  const query = isObject(input) ? input["query"] : undefined;
  const queries = typeof query === "string" ? { queries: [query] } : {};
  return { dialect: Dialect.MESSAGES, id: getText(id), ...queries, others: [] };
}

/** Returns the words of a search that a stream tells with the end of its block; undefined if it tells none there. */
export function lateQueries(extension: RawJson | undefined): readonly string[] | undefined {
  if (extension?.dialect !== Dialect.MESSAGES) return undefined;
  return readCall({ id: "", input: parse(extension.json)["input"] }).queries;
}

/** Members of a page that a Responses item does not have. */
const OF_PAGES = ["title", "page_age", "encrypted_content"];

function readResult({ tool_use_id: id, content }: Members): SearchPart {
  const part = { dialect: Dialect.MESSAGES, id: getText(id) };
  if (!Array.isArray(content)) return { ...part, isFailed: true, others: ["web_search_tool_result.error_code"] };
  const pages = content.filter(isObject);
  const others = OF_PAGES.filter((name) => pages.some((page) => (page[name] ?? "") !== ""));
  return { ...part, pages: getPages(pages), others: others.map((name) => `web_search_tool_result.${name}`) };
}

/** Pages that were opened, and searched, have no form elsewhere. */
function readItem({ id, action, status }: Members): SearchPart {
  const { type, query, queries: list, sources } = isObject(action) ? action : {};
  const part = { dialect: Dialect.RESPONSES, id: getText(id), isFailed: status === "failed" };
  if (type !== "search") return { ...part, others: [] };
  const texts = Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
  const queries = texts.length > 0 || typeof query !== "string" ? texts : [query];
  return {
    ...part,
    ...(queries.length === 0 ? {} : { queries }),
    ...(Array.isArray(sources) ? { pages: getPages(sources) } : {}),
    others: queries.length > 1 ? ["web_search_call.action.queries"] : [],
  };
}

function getPages(list: readonly unknown[]): FoundPage[] {
  return list.flatMap((page) => (isObject(page) && typeof page["url"] === "string" ? [{ url: page["url"] }] : []));
}

function parse(json: string): Members {
  const value: unknown = JSON.parse(json);
  return isObject(value) ? value : {};
}

function getText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
