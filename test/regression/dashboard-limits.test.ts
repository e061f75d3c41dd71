import http from "node:http";
import http2 from "node:http2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PUBLIC_PROCEDURES } from "../../src/dashboard/router.ts";
import { Caller } from "../dashboard/caller.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { createPeople, type People } from "../dashboard/people.ts";

let service: DashboardService;
let people: People;

beforeAll(async () => {
  service = await startDashboardService();
  people = await createPeople(service);
});

afterAll(() => service.close());

interface Sent {
  readonly path: string;
  readonly cookie?: string | undefined;
  /** What content-length says; undefined leaves it out. */
  readonly length?: number;
  /** What is sent before the answer is waited for: less than was announced, or without an end. */
  readonly body: string;
}

interface Answered {
  readonly status: number | undefined;
  readonly code: string | undefined;
}

const codeOf = (text: string) => JSON.parse(text).error?.data?.code as string | undefined;

function headersOf({ cookie, length }: Sent) {
  return {
    "content-type": "application/json",
    "sec-fetch-site": "same-origin",
    ...(cookie === undefined ? {} : { cookie }),
    ...(length === undefined ? {} : { "content-length": String(length) }),
  };
}

/** Sends a body that never ends over HTTP/1.1: an answer comes only from who does not wait for its end. */
function overHttp1(sent: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = { method: "POST", headers: headersOf(sent), agent: false };
    const request = http.request(`${service.url}/dashboard/api/${sent.path}`, options, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode, code: codeOf(text) });
      request.destroy();
    });
    request.once("error", reject);
    request.write(sent.body);
  });
}

/** The same over HTTP/2. */
function overHttp2(sent: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const session = http2.connect(service.url);
    session.once("error", reject);
    const stream = session.request({ ":method": "POST", ":path": `/dashboard/api/${sent.path}`, ...headersOf(sent) });
    let status: number | undefined;
    let text = "";
    stream.once("response", (headers) => {
      status = headers[":status"];
    });
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    stream.once("error", reject);
    stream.once("end", () => {
      resolve({ status, code: codeOf(text) });
      stream.close();
      session.close();
    });
    stream.write(sent.body);
  });
}

const KIB = 1024;

describe.each([
  ["HTTP/1.1", overHttp1],
  ["HTTP/2", overHttp2],
])("a body for the dashboard's API, over %s", (_protocol, send) => {
  const member = () => people.byRole.developer.cookie;

  it("is refused by its announced length before it comes", async () => {
    const sent = { path: "keys.create", cookie: member(), length: 1025 * KIB, body: "{" };
    expect(await send(sent)).toEqual({ status: 413, code: "PAYLOAD_TOO_LARGE" });
  });

  it("is refused as soon as more than the limit has come", async () => {
    const sent = { path: "keys.create", cookie: member(), body: "x".repeat(1025 * KIB) };
    expect(await send(sent)).toEqual({ status: 413, code: "PAYLOAD_TOO_LARGE" });
  });

  it("may have 64 KiB where no session is needed", async () => {
    const paths = [...PUBLIC_PROCEDURES].filter((path) => path !== "session.current");
    expect(paths).toContain("session.signIn");
    for (const path of paths) {
      expect(await send({ path, length: 65 * KIB, body: "{" })).toEqual({ status: 413, code: "PAYLOAD_TOO_LARGE" });
      const streamed = { path, body: "x".repeat(65 * KIB) };
      expect(await send(streamed)).toEqual({ status: 413, code: "PAYLOAD_TOO_LARGE" });
    }
  });

  it.each(["keys.create", "session.changePassword", "keys.create,keys.create?batch=1", "nothing.there"])(
    "is not read for nobody: %s",
    async (path) => {
      expect(await send({ path, length: 1000, body: "{" })).toEqual({ status: 401, code: "UNAUTHORIZED" });
      const cookie = "attune_session=nobodys";
      expect(await send({ path, cookie, length: 1000, body: "{" })).toEqual({ status: 401, code: "UNAUTHORIZED" });
    },
  );
});

describe("a request for the dashboard's API", () => {
  it("says how large it may be", async () => {
    const input = { projectId: people.projectId, name: "x".repeat(1025 * KIB) };
    const answer = await people.byRole.developer.mutate("keys.create", input);
    expect([answer.status, answer.error?.message]).toEqual([413, "the request is larger than 1 MiB"]);
    const signIn = await new Caller(service.url).mutate("session.signIn", { email: "x".repeat(65 * KIB) });
    expect([signIn.status, signIn.error?.message]).toEqual([413, "the request is larger than 64 KiB"]);
  });

  it("may be as large as its limit", async () => {
    const input = { projectId: people.projectId, name: "x".repeat(1023 * KIB) };
    const answer = await people.byRole.developer.mutate("keys.create", input);
    expect([answer.status, answer.error?.message]).toEqual([400, "name: must have 1 to 100 characters"]);
  });

  it("calls at most 20 procedures", async () => {
    const batch = async (count: number) => {
      const path = Array.from({ length: count }, () => "session.list").join(",");
      const headers = { cookie: people.byRole.viewer.cookie ?? "" };
      return (await fetch(`${service.url}/dashboard/api/${path}?batch=1`, { headers })).status;
    };
    expect([await batch(20), await batch(21)]).toEqual([200, 400]);
  });

  it("tells no inside where it fails before a procedure", async () => {
    const text = await (
      await fetch(`${service.url}/dashboard/api/keys.create`, {
        method: "POST",
        headers: { "content-type": "application/json; charset=x", "sec-fetch-site": "same-origin" },
        body: "{",
      })
    ).text();
    expect(JSON.parse(text).error).toMatchObject({ data: { code: "UNAUTHORIZED", httpStatus: 401 } });
  });
});
