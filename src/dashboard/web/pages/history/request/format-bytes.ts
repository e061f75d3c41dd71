/** Writes a size: 850 B, 12.3 kB, 4 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Number((bytes / 1000).toPrecision(3))} kB`;
  return `${Number((bytes / 1_000_000).toPrecision(3))} MB`;
}
