/** The characters that a file name must not have. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}"*/:<>?\\|]+/gu;

/**
 * Characters that nobody sees, and that change what is seen: a name whose direction is overridden shows another ending
 * than it has.
 */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;

const MAX_LENGTH = 100;

/**
 * Returns a name for a file: its own, as far as a file may have it, with the ending of its media type where it has
 * none.
 */
export function fileName(name: string, mediaType: string): string {
  const seen = [...name.replace(INVISIBLE, "").replace(UNSAFE, " ").trim()];
  const safe = seen.slice(0, MAX_LENGTH).join("").trim() || "file";
  if (/\.[A-Za-z0-9]{1,5}$/.test(safe)) return safe;
  const [, subtype = "bin"] = /^[^/]+\/([a-z0-9]{1,5})$/.exec(mediaType) ?? [];
  return `${safe}.${ENDINGS[mediaType] ?? subtype}`;
}

const ENDINGS: Readonly<Record<string, string>> = { "text/plain": "txt", "image/jpeg": "jpg", "audio/mpeg": "mp3" };
