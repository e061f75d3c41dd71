import { type ContentBlock, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { readSearchPart, type SearchPart } from "../../../hub/web-search/read-search.ts";
import { writeSearchId } from "../../../hub/web-search/search-id.ts";
import type { JsonObject } from "../../shared/json.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { type OutputPart, partFromBlock, type SearchCallPart } from "./output-part.ts";

/** An item of the answer. Only message items have more parts than one. */
export interface OutputItem {
  readonly type: "message" | "call" | "reasoning" | "opaque" | "search";
  readonly id: string;
  /** Position in `output`. */
  readonly index: number;
  readonly parts: OutputPart[];
  /** Members of the item that only this format knows. */
  readonly extension: JsonObject;
}

/** The item and part that a block went to. */
export interface Placed {
  readonly item: OutputItem;
  readonly part: OutputPart;
  /** True if the item began with it; absent where that is told by the list. */
  readonly isNew?: boolean;
}

/** The items of one answer, whole or still growing. The same blocks always make the same items with the same ids. */
export class OutputList {
  readonly items: OutputItem[] = [];
  /** The first item of each id. */
  readonly #byId = new Map<string, OutputItem>();
  readonly #suffix: string;
  /** Identifier that the upstream gave to the last item; empty if none. */
  #lastItemId = "";
  readonly #inferenceId: string;
  readonly #hasSources: boolean;
  /** Searches of another format, by the identifiers that their provider gave them. */
  readonly #searches = new Map<string, Placed & { readonly part: SearchCallPart }>();
  /** Blocks that were added, with a place or without. */
  #blocks = 0;

  /**
   * `inferenceId` makes the ids of the items that came without one. With `sources`, a search of another format tells
   * the pages that it found, as one of this format does only where it is asked to.
   */
  constructor(inferenceId: string, { sources: hasSources }: { readonly sources: boolean }) {
    this.#inferenceId = inferenceId;
    this.#suffix = inferenceId.replaceAll("-", "");
    this.#hasSources = hasSources;
  }

  /** Adds a block to the last item or as a new one; undefined if the block has no place in this format. */
  add(block: ContentBlock): Placed | undefined {
    const index = this.#blocks++;
    const part = partFromBlock(block);
    if (part === undefined) return this.#addForeign(block, index);
    const type = itemType(part, block.itemId);
    const last = this.items.at(-1);
    const joins = type === "message" && last?.type === "message" && this.#lastItemId === block.itemId;
    const item = joins ? last : this.#begin(type, part, block);
    item.parts.push(part);
    return { item, part };
  }

  /** Adds an item that only this format knows, as its upstream announced it; its block follows when it is done. */
  announce(announced: JsonObject): OutputItem {
    const item = this.#push("opaque", typeof announced.id === "string" ? announced.id : "", {});
    item.parts.push({ type: "opaque", extension: announced });
    return item;
  }

  #addForeign({ kind }: ContentBlock, index: number): Placed | undefined {
    const search = kind.case === "opaque" ? readSearchPart(kind.value) : undefined;
    if (search === undefined) return undefined;
    const isCall = search.pages === undefined && !search.isFailed;
    const known = isCall ? undefined : this.#searches.get(search.id);
    const placed = known ?? this.#beginSearch(search.id, index);
    this.#growSearch(placed.part, search);
    return known === undefined ? { ...placed, isNew: true } : known;
  }

  #beginSearch(upstreamId: string, index: number) {
    const id = writeSearchId(Dialect.RESPONSES, { inferenceId: this.#inferenceId, index });
    const item = this.#push("search", id, {});
    const part: SearchCallPart = { type: "search", queries: [], sources: undefined, outcome: "pending", extension: {} };
    item.parts.push(part);
    const placed = { item, part };
    this.#searches.set(upstreamId, placed);
    return placed;
  }

  #growSearch(part: SearchCallPart, { queries, pages, isFailed }: SearchPart): void {
    if (queries !== undefined) part.queries = queries;
    if (pages !== undefined && this.#hasSources) part.sources = pages.map(({ url }) => ({ type: "url", url }));
    if (isFailed) part.outcome = "failed";
    else if (pages !== undefined) part.outcome = "completed";
  }

  /** The item of this id, if there is one. */
  find(id: string): OutputItem | undefined {
    return this.#byId.get(id);
  }

  #begin(type: OutputItem["type"], part: OutputPart, block: ContentBlock): OutputItem {
    if (part.type === "opaque" && type === "opaque") {
      const id = typeof part.extension.id === "string" ? part.extension.id : "";
      const announced = id === "" ? undefined : this.find(id);
      if (announced !== undefined) {
        announced.parts.length = 0;
        return announced;
      }
      return this.#push(type, id, {});
    }
    // Clients throw at a second item of the same id, which `transformers serve` gives the text behind a call.
    const hasId = block.itemId !== "" && !this.#byId.has(block.itemId);
    const id = hasId ? block.itemId : this.#makeId(part);
    const item = this.#push(type, id, readResponsesJson(block.itemExtension) ?? {});
    this.#lastItemId = block.itemId;
    return item;
  }

  #push(type: OutputItem["type"], id: string, extension: JsonObject): OutputItem {
    const item = { type, id, index: this.items.length, parts: [], extension };
    this.items.push(item);
    if (!this.#byId.has(id)) this.#byId.set(id, item);
    return item;
  }

  #makeId(part: OutputPart): string {
    const prefix = part.type === "call" ? (part.custom ? "ctc" : "fc") : part.type === "reasoning" ? "rs" : "msg";
    return `${prefix}_${this.#suffix}_${this.items.length}`;
  }
}

/** An opaque block inside an item is a part of a message; one by itself is an item. */
function itemType(part: OutputPart, itemId: string): OutputItem["type"] {
  if (part.type === "call" || part.type === "reasoning") return part.type;
  return part.type === "opaque" && itemId === "" ? "opaque" : "message";
}
