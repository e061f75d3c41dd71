/** What no name of a file may have. */
const UNSAFE = /[\p{Cc}"*/:<>?\\|]+/gu;

/** Returns a name for a file: its own, as far as a file may have it, with the ending of its media type where it has none. */
export function fileName(name: string, mediaType: string): string {
  const safe = name.replace(UNSAFE, " ").trim().slice(0, 100) || "file";
  if (/\.[A-Za-z0-9]{1,5}$/.test(safe)) return safe;
  const [, subtype = "bin"] = /^[^/]+\/([a-z0-9]{1,5})$/.exec(mediaType) ?? [];
  return `${safe}.${ENDINGS[mediaType] ?? subtype}`;
}

const ENDINGS: Readonly<Record<string, string>> = { "text/plain": "txt", "image/jpeg": "jpg", "audio/mpeg": "mp3" };
