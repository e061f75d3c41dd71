/** The unit that is decided on and that feedback counts for. */
export type ReplayUnit = "request" | "session";

/** A stream of requests in sessions: requests of one family in a row, which get one feedback. */
export interface SessionStream {
  readonly rows: Int32Array;
  /** Per step: the first and the last step of its session. */
  readonly firsts: Int32Array;
  readonly lasts: Int32Array;
}

/**
 * Regroups a stream into sessions of up to `length` requests of one family, in the order of the draw. A session stands
 * where its first request was drawn; the last ones of a family may be shorter.
 */
export function groupSessions(rows: Int32Array, familyOf: Int32Array, length: number): SessionStream {
  const open = new Map<number, number[]>();
  const sessions: number[][] = [];
  for (const row of rows) {
    const family = familyOf[row] ?? 0;
    let session = open.get(family);
    if (session === undefined || session.length === length) {
      session = [];
      open.set(family, session);
      sessions.push(session);
    }
    session.push(row);
  }
  const firsts = sessions.flatMap((session, at) => session.map(() => at));
  const starts: number[] = [];
  let start = 0;
  for (const { length: count } of sessions) {
    starts.push(start);
    start += count;
  }
  return {
    rows: Int32Array.from(sessions.flat()),
    firsts: Int32Array.from(firsts, (at) => starts[at] ?? 0),
    lasts: Int32Array.from(firsts, (at) => (starts[at] ?? 0) + (sessions[at]?.length ?? 1) - 1),
  };
}
