/** A pair of surrogates, half of one, or any other escape. */
const ESCAPES = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\./gs;
const PAIR_LENGTH = 12;
const OTHER_LENGTH = 2;

/**
 * Puts U+FFFD in the place of escaped halves of surrogate pairs in JSON text: only JavaScript takes such JSON, and a
 * text that was cut in an emoji stays in a history.
 */
export function wellFormedJson(json: string): string {
  if (!json.includes("\\ud") && !json.includes("\\uD")) return json;
  return json.replace(ESCAPES, (found) =>
    found.length === PAIR_LENGTH || found.length === OTHER_LENGTH ? found : "\ufffd",
  );
}
