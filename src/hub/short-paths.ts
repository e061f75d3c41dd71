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
