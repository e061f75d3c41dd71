import { isStandardTerm } from "../../hub/standard-terms.ts";
import { isJsonObject, type JsonObject } from "./json.ts";

/** The terms of a call that change its price, in the words of providers; undefined where nothing is told of one. */
export interface Terms {
  readonly serviceTier?: string | undefined;
  readonly speed?: string | undefined;
  readonly region?: string | undefined;
}

/** The members that tell a term, here or there. */
const MEMBERS = {
  serviceTier: ["service_tier", "serviceTier"],
  speed: ["speed"],
  region: ["inference_geo", "inferenceGeo"],
} as const satisfies Record<keyof Terms, readonly string[]>;

/** Words that name no term: what serves is left to the provider. */
const UNNAMED: ReadonlySet<string> = new Set(["", "auto", "unspecified"]);

/** Gemini's words are `SERVICE_TIER_FLEX`, Vertex AI's `ON_DEMAND_FLEX`. */
const PREFIX = /^(?:service_tier|on_demand)_/;

/**
 * Reads the terms that served an answer from the first place that names them. A term that no place names is the one
 * that was asked for: a provider that serves another one says so.
 */
export function readTerms(places: readonly (JsonObject | undefined)[], requested: Terms = {}): Terms {
  const read = (term: keyof Terms): string | undefined => {
    for (const place of places) {
      for (const member of MEMBERS[term]) {
        if (place === undefined || !Object.hasOwn(place, member)) continue;
        const word = readWord(place[member]);
        if (word !== undefined) return word;
      }
    }
    return requested[term];
  };
  return { serviceTier: read("serviceTier"), speed: read("speed"), region: read("region") };
}

/** Returns the terms that a request asks for, as it was sent; undefined if it asks for none. */
export function readRequestedTerms(body: JsonObject): Terms | undefined {
  const terms = readTerms([body]);
  return Object.values(terms).some((word) => word !== undefined && !isStandardTerm(word)) ? terms : undefined;
}

/** Reads a word, in small letters; Converse has the tier as an object. */
function readWord(value: unknown): string | undefined {
  const raw = isJsonObject(value) ? value.type : value;
  const word = typeof raw === "string" ? raw.toLowerCase().replace(PREFIX, "") : "";
  return UNNAMED.has(word) ? undefined : word;
}
