/**
 * The parts that change from request to request in texts that are otherwise the same: identifiers, addresses, numbers,
 * dates. What is repeated before something else must follow is bounded, so that no text takes more than linear time.
 */
const VOLATILE = new RegExp(
  [
    // Addresses before numbers, which they may hold.
    /https?:\/\/\S+/,
    /\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]+/,
    // UUIDs and other long identifiers: letters and digits mixed, or hexadecimal.
    /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/,
    /\b(?=[a-z_-]{0,40}\d)[a-z\d_-]{12,}\b/,
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/,
    /\b(?:january|february|march|april|june|july|august|september|october|november|december)\b/,
    // Times and numbers of any form.
    /\d[\d:.,/-]*(?:st|nd|rd|th|am|pm|z|utc|gmt)?\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** Returns a text in small letters with a sign in the place of all that changes from request to request. */
export function maskVolatile(text: string): string {
  return text.toLowerCase().replace(VOLATILE, "#");
}
