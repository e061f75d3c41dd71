/** A place in a spool: every record is written after those before it. */
export interface Position {
  /** Number of the segment; later ones are greater. */
  readonly segment: number;
  /** Bytes from the beginning of the segment. */
  readonly offset: number;
}

/** A frame in a segment. */
export interface SpoolPlace extends Position {
  readonly length: number;
}

/** The place before everything. */
export const BEGINNING: Position = { segment: 0, offset: 0 };

/** Tells whether `a` is at or before `b`. */
export function isReached(a: Position, b: Position): boolean {
  return a.segment < b.segment || (a.segment === b.segment && a.offset <= b.offset);
}

const SEGMENT = /^(\d{10})\.spool$/;

/** Returns the file name of a segment. Names sort as their numbers do. */
export function segmentName(segment: number): string {
  return `${String(segment).padStart(10, "0")}.spool`;
}

/** Returns the number of a segment by its file name; undefined for any other file. */
export function segmentNumber(name: string): number | undefined {
  const digits = SEGMENT.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
