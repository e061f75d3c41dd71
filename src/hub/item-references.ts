import { createHash } from "node:crypto";
import { type ContentBlock, Dialect, type Message, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { blockTexts } from "./block-texts.ts";

/** An id of an item that was made here: it holds the id of its inference, and its position in the answer. */
const OWN_ID = /^[a-z]+_([0-9a-f]{8})([0-9a-f]{4})(7[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})_(i?)(\d+)$/;

/** The place of an item that was made here. */
export interface OwnItem {
  readonly inferenceId: string;
  /** Position among the items of the answer; undefined for one of the request. */
  readonly position: number | undefined;
}

/** Reads an id of an item that was made here; undefined for any other id. */
export function readOwnItemId(id: string): OwnItem | undefined {
  const [whole, ...parts] = OWN_ID.exec(id) ?? [];
  if (whole === undefined) return undefined;
  const position = parts[5] === "i" ? undefined : Number(parts[6]);
  return { inferenceId: parts.slice(0, 5).join("-"), position };
}

/** A reference to an item of the Responses format: it may leave out its type, or have null, and nothing but an id. */
const MAY_REFER = /"item_reference"|^(?!.*"type"(?!\s*:\s*null))/s;

/** Returns the id of the item that a message refers to; undefined for a message that is no reference. */
export function findReference({ role, content: [block] }: Message): string | undefined {
  if (role !== Role.UNSPECIFIED || block?.kind.case !== "opaque") return undefined;
  const { dialect, json } = block.kind.value;
  if (dialect !== Dialect.RESPONSES || !MAY_REFER.test(json)) return undefined;
  const item: unknown = JSON.parse(json);
  if (typeof item !== "object" || item === null || !("id" in item) || typeof item.id !== "string") return undefined;
  const type = "type" in item ? item.type : null;
  return type === null || type === "item_reference" ? item.id : undefined;
}

/** The longest id of an item that is known by it. */
const MOST_CHARACTERS = 256;

/** Returns the ids that an upstream gave to items of an answer; none of those that were made here. */
export function upstreamItemIds(content: readonly ContentBlock[]): readonly string[] {
  const ids = new Set<string>();
  for (const block of content) {
    const id = block.itemId === "" ? opaqueId(block) : block.itemId;
    if (id !== "" && id.length <= MOST_CHARACTERS && readOwnItemId(id) === undefined) ids.add(id);
  }
  return [...ids];
}

/** The id of an item that only the Responses format knows; "" for anything else. */
export function opaqueId({ kind }: ContentBlock): string {
  if (kind.case !== "opaque" || kind.value.dialect !== Dialect.RESPONSES) return "";
  const item: unknown = JSON.parse(kind.value.json);
  return typeof item === "object" && item !== null && "id" in item && typeof item.id === "string" ? item.id : "";
}

/** Returns the digest of what was last said in a conversation by others than the model. */
export function digestLastInput(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role !== Role.ASSISTANT && role !== Role.UNSPECIFIED);
  return createHash("sha256")
    .update([...blockTexts(last?.content ?? [])].join("\n"))
    .digest("base64");
}
