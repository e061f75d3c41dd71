import type { ContentBlock } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { type OutputPart, partFromBlock } from "./output-part.ts";

/** An item of the answer. Only message items have more parts than one. */
export interface OutputItem {
  readonly type: "message" | "call" | "reasoning" | "opaque";
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
}

/** The items of one answer, whole or still growing. The same blocks always make the same items with the same ids. */
export class OutputList {
  readonly items: OutputItem[] = [];
  /** The first item of each id. */
  readonly #byId = new Map<string, OutputItem>();
  readonly #suffix: string;
  /** Identifier that the upstream gave to the last item; empty if none. */
  #lastItemId = "";

  /** `inferenceId` makes the ids of the items that came without one. */
  constructor(inferenceId: string) {
    this.#suffix = inferenceId.replaceAll("-", "");
  }

  /** Adds a block to the last item or as a new one; undefined if the block has no place in this format. */
  add(block: ContentBlock): Placed | undefined {
    const part = partFromBlock(block);
    if (part === undefined) return undefined;
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
    const item = this.#push(type, block.itemId || this.#makeId(part), readResponsesJson(block.itemExtension) ?? {});
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
