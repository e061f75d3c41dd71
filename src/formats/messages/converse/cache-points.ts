import type { ConverseAbilities } from "../../../hub/converse-abilities.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { LossList } from "../../shared/losses.ts";

const TTLS: ReadonlySet<unknown> = new Set(["5m", "1h"]);

/** A mark's holder, by its path, and the mark itself, by its place among losses. */
interface MarkPlace {
  readonly path: string;
  readonly place: string;
  readonly losses: Pick<LossList, "at" | "member">;
}

/**
 * Encodes marks of Messages as cache points, which stand behind what they are of
 * (docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html).
 */
export class CachePoints {
  readonly #taken: ConverseAbilities["cachePoints"];

  constructor(taken: ConverseAbilities["cachePoints"]) {
    this.#taken = taken;
  }

  /** Returns the point for a mark in instructions or messages; none where it is lost, or where there is none. */
  inPrompt(mark: unknown, at: MarkPlace): JsonObject[] {
    return this.#encode(mark, at, this.#taken !== "none");
  }

  /** Returns the point for the mark of a tool. */
  ofTool(mark: unknown, at: MarkPlace): JsonObject[] {
    return this.#encode(mark, at, this.#taken === "all");
  }

  #encode(mark: unknown, { path, place, losses }: MarkPlace, isTaken: boolean): JsonObject[] {
    if (mark === undefined || mark === null) return [];
    if (!isTaken || !isJsonObject(mark) || mark["type"] !== "ephemeral") {
      losses.at(place);
      return [];
    }
    const { type: _type, ttl, ...others } = mark;
    for (const name of Object.keys(others)) losses.member(path, `cache_control.${name}`);
    // Five minutes need no word, and models whose tools take no points keep nothing for longer.
    const takesTtl = this.#taken === "all" && TTLS.has(ttl);
    if (!takesTtl && ttl !== undefined && ttl !== "5m") losses.at(`${place}.ttl`);
    return [{ cachePoint: { type: "default", ...(takesTtl && { ttl }) } }];
  }
}
