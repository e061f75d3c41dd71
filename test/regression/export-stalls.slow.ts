import { toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../src/hub/input.ts";
import { decodeRequest, encodeRequest } from "../../src/hub/request-bytes.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { createPeople } from "../dashboard/people.ts";
import { inferenceRow } from "../support/rows.ts";
import { threadMs } from "../support/thread-ms.ts";
import { longestTurnOf } from "../support/watch-turns.ts";

/** The part of what the largest body takes at once that any turn of the event loop may take, on a slow machine too. */
const MOST_OF_IT = 0.5;
const SMALL = 600;

let service: DashboardService;

beforeAll(async () => {
  service = await startDashboardService();
});

afterAll(() => service.close());

// An export decoded bodies and wrote them as JSON without a pause for a hundred at a time, and the largest at once.
it("an export leaves the event loop to others", async () => {
  const { projectId, byRole } = await createPeople(service);
  const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
  const bodyOf = (texts: number, length: number) =>
    encodeRequest(createHubInput({ system: Array.from({ length: texts }, () => text("ü".repeat(length))) }));
  const large = bodyOf(200_000, 50);
  const small = bodyOf(5, 500);
  const bodies = [large, ...Array.from({ length: SMALL }, () => small)];
  for (const request of bodies) {
    const row = inferenceRow({ projectId });
    await writeBatch(service.store, {
      inferences: [{ row, attempts: [], request, response: new Uint8Array() }],
      feedback: [],
    });
  }
  const input = encodeURIComponent(JSON.stringify({ projectId, filter: {} }));
  const readExport = async () => {
    const answer = await fetch(`${service.url}/dashboard/api/export/history?input=${input}`, {
      headers: { cookie: byRole.viewer.cookie ?? "" },
    });
    let lines = 0;
    for await (const chunk of answer.body ?? []) {
      for (const byte of chunk) lines += Number(byte === 0x0a);
    }
    expect(lines).toBe(bodies.length);
  };
  const before = threadMs();
  JSON.stringify(toJson(InferenceInputSchema, decodeRequest(large)));
  const mostMs = (threadMs() - before) * MOST_OF_IT;
  expect(await longestTurnOf(readExport, mostMs)).toBeLessThan(mostMs);
});
