import { describe, expect, it } from "vitest";
import { type DrainReport, NOTHING_DRAINED } from "../../../../src/store/write/spool/drain.ts";
import type { DrainCommand } from "../../../../src/store/write/spool/drain-messages.ts";
import { ThreadDrain } from "../../../../src/store/write/spool/thread-drain.ts";

const item = (sequence: number) => ({ sequence, payload: new Uint8Array([sequence]) });

function start() {
  const sent: DrainCommand[] = [];
  const reports: DrainReport[] = [];
  const drain = new ThreadDrain({
    folder: "/spool/one",
    onReport: (report) => void reports.push(report),
    send: (command) => void sent.push(command),
    close: async () => {},
  });
  return { drain, sent, reports };
}

describe("ThreadDrain", () => {
  it("tells the next thread where the one before was, and what that one had left", () => {
    const { drain, sent } = start();
    drain.begin();
    drain.take([item(1), item(2), item(3)]);
    drain.announce({ segment: 2, offset: 500 });
    drain.hear({ ...NOTHING_DRAINED, through: { segment: 1, offset: 90 }, directThrough: 2 });
    drain.interrupt();
    sent.length = 0;
    drain.begin();
    expect(sent).toEqual([
      { kind: "open", folder: "/spool/one", from: { segment: 1, offset: 90 } },
      { kind: "take", folder: "/spool/one", items: [item(3)] },
      { kind: "announce", folder: "/spool/one", end: { segment: 2, offset: 500 } },
    ]);
  });

  it("adds up what the threads have done, and is away between them", () => {
    const { drain, reports } = start();
    drain.begin();
    const first = { written: 10, failedWrites: 1, rejected: 2, brokenBytes: 30, directThrough: 4 };
    drain.hear({ ...NOTHING_DRAINED, ...first });
    drain.interrupt();
    expect(reports.at(-1)).toMatchObject({ ...first, database: "away" });
    drain.begin();
    // The new thread was given nothing that is not in a file.
    drain.hear({ ...NOTHING_DRAINED, written: 5, brokenBytes: 1, directThrough: 0 });
    expect(reports.at(-1)).toMatchObject({
      written: 15,
      failedWrites: 1,
      rejected: 2,
      brokenBytes: 31,
      directThrough: 4,
      database: "ok",
    });
  });
});
