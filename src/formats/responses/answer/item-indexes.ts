import { isJsonObject, type JsonObject, toText } from "../../shared/json.ts";

interface Item {
  readonly index: number;
  readonly id: string;
  isDone: boolean;
}

/** Events of an item, also where they do not say of which. */
const TEXTS: ReadonlySet<unknown> = new Set(["response.output_text.delta", "response.reasoning_text.delta"]);

/**
 * Finds the items that events belong to. Some servers (llama.cpp) number no item, and some number each of them 0: their
 * items are known by their ids, and by their order.
 */
export class ItemIndexes {
  /** The last item of each number that the upstream gives. */
  readonly #byNumber = new Map<number, Item>();
  readonly #byId = new Map<string, Item>();
  readonly #taken = new Set<number>();
  #last: Item | undefined;
  #next = 0;

  /** Returns the position of the item that an event belongs to; undefined for an event of no item. */
  find(event: JsonObject): number | undefined {
    const { output_index: number, type } = event;
    const isDone = type === "response.output_item.done";
    if (!isDone && type !== "response.output_item.added") {
      if (typeof number === "number") return this.#byNumber.get(number)?.index ?? number;
      if (typeof event.item_id !== "string" && !TEXTS.has(type)) return undefined;
      return (this.#byId.get(toText(event.item_id)) ?? this.#last)?.index ?? this.#next;
    }
    const id = getId(event.item);
    const known = typeof number === "number" ? this.#byNumber.get(number) : this.#unnumbered(id, isDone);
    const item = known === undefined || (known.isDone && known.id !== id) ? this.#begin(number, id) : known;
    item.isDone ||= isDone;
    return item.index;
  }

  #unnumbered(id: string, isDone: boolean): Item | undefined {
    const known = id === "" ? undefined : this.#byId.get(id);
    return known ?? (isDone && this.#last?.isDone === false ? this.#last : undefined);
  }

  #begin(number: unknown, id: string): Item {
    const isFree = typeof number === "number" && !this.#taken.has(number);
    const item = { index: isFree ? number : this.#next, id, isDone: false };
    this.#taken.add(item.index);
    this.#next = Math.max(this.#next, item.index + 1);
    this.#last = item;
    if (typeof number === "number") this.#byNumber.set(number, item);
    if (id !== "") this.#byId.set(id, item);
    return item;
  }
}

/** Calls of some servers have no id but that of the call, and events name them by it. */
function getId(item: unknown): string {
  return isJsonObject(item) ? toText(item.id) || toText(item.call_id) : "";
}
