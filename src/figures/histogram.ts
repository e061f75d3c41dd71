/**
 * LatencyMetrics are counted in buckets, eight to each doubling, so that a percentile of any sum of histograms is off
 * by no more than 4.5 percent. A histogram is text, "93:4 95:1 ": bucket and count in the order of the buckets. Texts
 * put one after the other are again a histogram, so the database can gather them without reading them.
 */
export type Histogram = number[];

/** Properties of rollups that are histograms. */
export const HISTOGRAMS: readonly string[] = ["latencies", "firstTokens"];

const BUCKETS_PER_DOUBLING = 8;
/** All below is one bucket. */
const SMALLEST_MS = 0.125;
const COLON = 58;
const ZERO = 48;

/** Returns the bucket of a latency. */
export function findBucket(latencyMs: number): number {
  return latencyMs <= SMALLEST_MS ? 0 : 1 + Math.floor(BUCKETS_PER_DOUBLING * Math.log2(latencyMs / SMALLEST_MS));
}

/** Counts one latency. */
export function countLatency(histogram: Histogram, latencyMs: number): void {
  const bucket = findBucket(latencyMs);
  histogram[bucket] = (histogram[bucket] ?? 0) + 1;
}

/** Writes a histogram. */
export function encodeHistogram(histogram: Histogram): string {
  // Buckets in which nothing was counted are holes, or zero.
  return histogram.reduce((text, count, bucket) => (count === 0 ? text : `${text}${bucket}:${count} `), "");
}

/** Adds what encodeHistogram() wrote, or several of such texts in a row, to a histogram. */
export function addHistogram(histogram: Histogram, text: string): void {
  let bucket = 0;
  let number = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code < COLON) {
      number = number * 10 + code - ZERO;
      continue;
    }
    if (code === COLON) bucket = number;
    else histogram[bucket] = (histogram[bucket] ?? 0) + number;
    number = 0;
  }
}

/** Returns texts of histograms, put one after the other, as one text that has each bucket once, in their order. */
export function mergeHistograms(...texts: readonly string[]): string {
  const histogram: Histogram = [];
  for (const text of texts) addHistogram(histogram, text);
  return encodeHistogram(histogram);
}

/**
 * Returns a percentile in milliseconds, `share` being from 0 to 1: the middle of the bucket in which it lies. Undefined
 * for a histogram of nothing.
 */
export function percentileMs(histogram: Histogram, share: number): number | undefined {
  // Plain loops: a year of a dashboard asks for thousands, and iterators take several times as long over the holes.
  let total = 0;
  for (let bucket = 0; bucket < histogram.length; bucket += 1) total += histogram[bucket] ?? 0;
  let rank = Math.max(1, Math.ceil(share * total));
  for (let bucket = 0; bucket < histogram.length; bucket += 1) {
    rank -= histogram[bucket] ?? 0;
    if (rank <= 0) return bucket === 0 ? SMALLEST_MS : SMALLEST_MS * 2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING);
  }
  return undefined;
}
