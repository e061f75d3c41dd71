/** The content of a data: URL. */
interface DataUrl {
  /** Media type without parameters, in lower case; text/plain where the URL names none. */
  readonly mediaType: string;
  /** The bytes in base64. */
  readonly base64: string;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Tells whether a text is a data: URL, whether a right one or not. */
export function isDataUrl(url: string): boolean {
  return /^data:/i.test(url);
}

/**
 * Parses a data: URL (RFC 2397). Parameters such as charset are allowed and left out; percent-encoded bytes become
 * base64. Returns undefined for a URL without a comma, and for bytes that are not coded as the URL says.
 */
export function parseDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(",");
  if (!isDataUrl(url) || comma === -1) return undefined;
  const [type = "", ...parameters] = url.slice("data:".length, comma).split(";");
  const mediaType = type.trim().toLowerCase() || "text/plain";
  const data = url.slice(comma + 1);
  if (parameters.at(-1)?.trim().toLowerCase() === "base64") {
    return BASE64.test(data) ? { mediaType, base64: data } : undefined;
  }
  const bytes = percentDecode(data);
  return bytes === undefined ? undefined : { mediaType, base64: bytes.toString("base64") };
}

/** Writes bytes as a data: URL. */
export function dataUrl({ mediaType, base64 }: DataUrl): string {
  return `data:${mediaType};base64,${base64}`;
}

function percentDecode(text: string): Buffer | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  // Each escape is one byte; the other characters are ASCII by the RFC, and UTF-8 where a sender did not keep to it.
  const latin1 = Buffer.from(text, "utf8").toString("latin1");
  return Buffer.from(
    latin1.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
}
