import { InferenceError } from "../hub/error.ts";
import { isUuid } from "../lib/ids.ts";

/** Items of a page where the caller does not say how many. */
const DEFAULT_SIZE = 100;

/** Returns how many items a page has; 0 leaves it to the service. */
export function readPageSize(pageSize: number): number {
  return pageSize === 0 ? DEFAULT_SIZE : pageSize;
}

/** Cuts a page off what was found, which has one item more where there is another page. */
export function toPage<Item extends { readonly id: string }>(found: readonly Item[], size: number) {
  const items = found.slice(0, size);
  return { items, nextPageToken: found.length > size ? (items.at(-1)?.id ?? "") : "" };
}

/** The part of a request that asks for a page. */
interface PageRequest {
  readonly pageSize: number;
  readonly pageToken: string;
}

/** Returns a page of a list that is there whole. Throws INVALID_REQUEST for a token that names no item of it. */
export function pageWithin<Item extends { readonly id: string }>(all: readonly Item[], page: PageRequest) {
  const size = readPageSize(page.pageSize);
  const last = all.findIndex(({ id }) => id === page.pageToken.toLowerCase());
  if (page.pageToken !== "" && last === -1) {
    throw InferenceError.invalid("page_token", "is of an item that is there no more: start again without it");
  }
  return toPage(all.slice(last + 1, last + size + 2), size);
}

/** Writes texts as a page token. */
export function writeToken(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** Reads the texts of a page token, of which there are `count`. Throws INVALID_REQUEST. */
export function readToken(token: string, count: number): readonly string[] {
  const parts = parse(Buffer.from(token, "base64url").toString("utf8"));
  const texts = parts.filter((part) => typeof part === "string");
  if (texts.length === count && parts.length === count) return texts;
  throw InferenceError.invalid("page_token", "is not a page token of this service: start again without it");
}

/** Reads the id of a row from a page token; empty for the first page. Throws INVALID_REQUEST. */
export function readPlace(token: string): string {
  if (token === "" || isUuid(token)) return token.toLowerCase();
  throw InferenceError.invalid("page_token", "is not a page token of this service: start again without it");
}

function parse(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
