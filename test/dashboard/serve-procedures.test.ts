import { once } from "node:events";
import { connect } from "node:http2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitFor } from "../support/wait.ts";
import { type DashboardService, startDashboardService } from "./harness.ts";

let service: DashboardService;

beforeAll(async () => {
  service = await startDashboardService();
});

afterAll(() => service.close());

const KIB = 1024;
const HEADERS = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
const PATH = "/dashboard/api/session.signIn";

async function signIn(body: string): Promise<{ status: number; message: string }> {
  const answer = await fetch(`${service.url}${PATH}`, { method: "POST", headers: HEADERS, body });
  const { error } = (await answer.json()) as { error: { message: string } };
  return { status: answer.status, message: error.message };
}

describe("serveProcedures()", () => {
  it("reads no more of a body than its limit", async () => {
    expect(await signIn(JSON.stringify({ email: "x".repeat(64 * KIB) }))).toEqual({
      status: 413,
      message: "the request is larger than 64 KiB",
    });
  });

  it("has no answer to HEAD, which no page sends", async () => {
    const answer = await fetch(`${service.url}/dashboard/api/rebuilds.cancel`, { method: "HEAD", headers: HEADERS });
    expect(answer.status).toBe(404);
  });

  it("takes so many bytes of bodies at a time from one address, and others once these have left", async () => {
    const session = connect(service.url);
    const begin = () => {
      const stream = session.request({ ":path": PATH, ":method": "POST", ...HEADERS });
      stream.on("error", () => {}).write(" ".repeat(60 * KIB));
      return stream;
    };
    const refused = Promise.race(Array.from({ length: 40 }, () => once(begin(), "response")));
    const [headers] = await refused;
    expect(headers).toMatchObject({ ":status": 503, "retry-after": "1" });
    const closed = once(session, "close");
    session.destroy();
    await closed;
    await waitFor(async () => expect(await signIn("{}")).toMatchObject({ status: 400 }));
  });
});
