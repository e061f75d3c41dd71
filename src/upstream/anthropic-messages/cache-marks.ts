import { type CacheMark, CacheTtl } from "../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../wire/json.ts";
import { encodeCacheControl, MAX_CACHE_MARKS } from "../../wire/messages/cache-control.ts";
import type { LossList } from "../losses.ts";

interface PlacedMark {
  readonly block: JsonObject;
  readonly mark: CacheMark;
  readonly place: string;
}

/** Marks of a request in another format, which may have more of them than Messages takes. */
export class CacheMarks {
  readonly #placed: PlacedMark[] = [];

  /** Notes that `block` is marked; marks come in the order of the prompt. */
  add(placed: PlacedMark): void {
    this.#placed.push(placed);
  }

  /** Puts the last marks that fit on their blocks: they cover the longest prefixes. The others are losses. */
  settle(losses: LossList, slotsTaken: number): void {
    const slots = MAX_CACHE_MARKS - slotsTaken;
    const lost = Math.max(0, this.#placed.length - slots);
    for (const [index, { block, mark, place }] of this.#placed.entries()) {
      if (index < lost) {
        losses.at(place);
        continue;
      }
      block["cache_control"] = encodeCacheControl(mark);
      const foreign = mark.ttl === CacheTtl.CACHE_TTL_30M || mark.ttl === CacheTtl.CACHE_TTL_12H;
      if (foreign) losses.at(`${place}.ttl`);
    }
  }
}
