/** Node and fetch give a header as Latin-1, a character for each byte. */
const BEYOND_ASCII = /[\u0080-\u00ff]/;
const BEYOND_BYTES = /[\u0100-\uffff]/;
const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Returns the text of a header: curl, Go and aiohttp send UTF-8, while fetch, requests and urllib3 send Latin-1, and the
 * same name must read alike.
 */
export function headerText(text: string | undefined): string | undefined {
  if (text === undefined || !BEYOND_ASCII.test(text) || BEYOND_BYTES.test(text)) return text;
  try {
    return UTF_8.decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}
