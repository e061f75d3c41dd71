import { describe, expect, it } from "vitest";
import { type DrainReport, NOTHING_DRAINED } from "../../../../src/store/write/spool/drain.ts";
import type { DrainReply, DrainRequest } from "../../../../src/store/write/spool/drain-requests.ts";
import { RemoteDrain } from "../../../../src/store/write/spool/remote-drain.ts";

const TARGET = { engine: "sqlite", databaseUrl: "sqlite:./attune.db", namesPerProject: 100 } as const;
const FOLDER = "/spool/one";

function start() {
  const requests: DrainRequest[] = [];
  const reports: DrainReport[] = [];
  let listen: (reply: DrainReply) => void = () => {};
  const drain = new RemoteDrain({
    folder: FOLDER,
    target: TARGET,
    channel: {
      send: (request) => void requests.push(request),
      onReply(hear) {
        listen = hear;
      },
    },
    onReport: (report) => void reports.push(report),
  });
  return { drain, requests, reports, reply: (reply: DrainReply) => listen(reply) };
}

describe("RemoteDrain", () => {
  it("says where it is to be written, how far the spool goes, and in base64 what is in no file", () => {
    const { drain, requests } = start();
    drain.announce({ segment: 1, offset: 20 });
    // A part of a larger buffer, as the encoders make them.
    const payload = new Uint8Array([0, 255, 65, 66, 67]).subarray(1, 4);
    drain.take([{ sequence: 7, payload }]);
    expect(JSON.parse(JSON.stringify(requests))).toEqual([
      { kind: "open", folder: FOLDER, ...TARGET },
      { kind: "announce", folder: FOLDER, end: { segment: 1, offset: 20 } },
      { kind: "take", folder: FOLDER, items: [{ sequence: 7, payload: "/0FC" }] },
    ]);
  });

  it("hears what is done of its own folder alone", () => {
    const { reports, reply } = start();
    reply({ kind: "report", folder: "/spool/other", report: { ...NOTHING_DRAINED, written: 1 } });
    reply({ kind: "report", folder: FOLDER, report: { ...NOTHING_DRAINED, written: 2 } });
    expect(reports).toEqual([{ ...NOTHING_DRAINED, written: 2 }]);
  });

  it("is closed once the other process says so", async () => {
    const { drain, requests, reply } = start();
    let isClosed = false;
    const closing = drain.close().then(() => {
      isClosed = true;
    });
    expect(requests.at(-1)).toEqual({ kind: "close", folder: FOLDER });
    reply({ kind: "closed", folder: "/spool/other" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    reply({ kind: "closed", folder: FOLDER });
    await closing;
  });
});
