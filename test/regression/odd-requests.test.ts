import { connect as connectH2 } from "node:http2";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { signedIn } from "../dashboard/people.ts";

let service: DashboardService;

beforeAll(async () => {
  service = await startDashboardService();
});

afterAll(() => service.close());

/** Sends bytes on a connection of their own, ends the sending half, and returns all that comes back. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(service.url).port), "127.0.0.1");
    let answer = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      // The sender leaves only after it was answered, as the end of a connection is noticed first.
      if (answer === "") socket.end();
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
    socket.write(text);
  });
}

const POST = "POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n";

describe("requests that are not quite right", () => {
  it("are told of a missing host in the API's own form", async () => {
    const answer = await exchange("GET /v1/models HTTP/1.1\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/x-request-id: \S+/);
    expect(answer).toContain('{"error":{"message":"host: the header is required: name the host that is called"');
  });

  it("need no host in HTTP/1.0", async () => {
    expect(await exchange("GET /healthz HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("may expect what nobody knows", async () => {
    const answer = await exchange(`${POST}expect: a-miracle\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}`);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toMatch(/x-request-id: \S+/);
  });

  it("may expect it over HTTP/2 as well", async () => {
    const session = connectH2(service.url);
    const stream = session.request({ ":path": "/v1/models", expect: "a-miracle" });
    const status = await new Promise((resolve) => {
      stream.on("response", (headers) => resolve(headers[":status"]));
    });
    session.destroy();
    expect(status).toBe(401);
  });

  it("make Node warn of nothing over HTTP/2", async () => {
    const { createKey } = await import("../../src/store/keys/key-repository.ts");
    const { key } = await createKey(service.store, { name: "warning" });
    const warned: string[] = [];
    const onWarning = (warning: Error): void => void warned.push(warning.message);
    process.on("warning", onWarning);
    const session = connectH2(service.url);
    const headers = { ":method": "POST", ":path": "/v1/chat/completions", "x-api-key": key };
    const stream = session.request({ ...headers, "content-type": "application/json" });
    const status = new Promise((resolve) => {
      stream.on("response", (answered) => resolve(answered[":status"]));
    });
    stream.end("{");
    expect(await status).toBe(400);
    session.destroy();
    // Warnings are told in a turn of their own.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", onWarning);
    expect(warned).toEqual([]);
  });

  it("of other methods are not found among the dashboard's procedures", async () => {
    const { caller } = await signedIn(service);
    const headers = `sec-fetch-site: same-origin\r\ncontent-type: application/json\r\ncookie: ${caller.cookie}\r\n`;
    const answer = await exchange(
      `TRACE /dashboard/api/keys.list HTTP/1.1\r\nhost: a\r\n${headers}connection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain("there is nothing here");
  });

  it("are answered once if they were answered before their end, and never ended", async () => {
    const answer = await exchange(`${POST}content-length: 100\r\n\r\n{`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
  });

  it("are not found below the dashboard, whatever is in their bodies", async () => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${service.url}/dashboard`, { method: "DELETE", body: "{", headers });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { message: "there is nothing here" } });
  });

  it.each(["0", "30"])("over RPC are late before they are wrong, with %s ms to go", async (limit) => {
    const { createKey } = await import("../../src/store/keys/key-repository.ts");
    const { key } = await createKey(service.store, { name: "late" });
    const path = "/attune.model.v1.ModelService/GetModel";
    const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n`;
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(new URL(service.url).port), "127.0.0.1");
      let text = "";
      socket.setEncoding("latin1").on("data", (chunk: string) => {
        text += chunk;
      });
      socket.on("error", reject).on("close", () => resolve(text));
      socket.write(
        `${head}content-type: application/proto\r\nconnect-timeout-ms: ${limit}\r\ncontent-length: 1\r\n\r\n`,
      );
      setTimeout(() => socket.write("\x0f"), 1000);
    });
    expect(answer).toContain('"code":"deadline_exceeded"');
  });
});
