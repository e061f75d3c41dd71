import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";

/**
 * Most characters of a place: a member's name may be as long as a body, and places are recorded, counted and told in
 * headers.
 */
const MOST_CHARACTERS = 256;

/** Returns places of a request or an answer, each once, with what is too long of them cut off. */
export function shortPlaces(places: string[]): string[];
export function shortPlaces(places: readonly string[]): readonly string[];
export function shortPlaces(places: readonly string[]): readonly string[] {
  if (places.every(({ length }) => length <= MOST_CHARACTERS)) return places;
  return [...new Set(places.map(shortened))];
}

function shortened(place: string): string {
  if (place.length <= MOST_CHARACTERS) return place;
  return `${place.slice(0, MOST_CHARACTERS).toWellFormed()}...`;
}

const FIELD_NUMBERS: ReadonlyMap<string, number> = new Map(
  InferenceInputSchema.fields.map(({ name, number }) => [name, number]),
);

/**
 * Sorts places of a request in its order: by its fields, then by the positions in their lists; what is outside comes
 * first.
 */
export function inOrder(places: readonly string[]): readonly string[] {
  if (places.length < 2) return places;
  const keyed = places.map((place) => ({ place, key: getKey(place) }));
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ place }) => place);
}

/** The number of the field, and the positions on the way. */
function getKey(place: string): readonly number[] {
  const field = /^\w+/.exec(place)?.[0] ?? "";
  return [FIELD_NUMBERS.get(field) ?? 0, ...[...place.matchAll(/\[(\d+)\]/g)].map(([, digits]) => Number(digits))];
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [index, number] of one.entries()) {
    const difference = number - (other[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
