import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import type { Route, TestedServer } from "./server.ts";

/** One answer of a server, as it came. */
interface Recorded {
  readonly check: string;
  readonly route: Route;
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** A proxy before each route of a server, which keeps what it answers. */
export interface Recorder {
  readonly bases: Partial<Record<Route, string>>;
  /** Names what is asked next, and of which model; nothing is kept under an empty name. */
  label(check: string, model: string): void;
  /** Writes the answers into a file of fixtures. */
  write(server: TestedServer): void;
  stop(): void;
}

const FOLDER = join(import.meta.dirname, "../../test/fixtures/servers");

/** Starts a proxy before each route. */
export async function startRecorder(routes: Partial<Record<Route, string>>): Promise<Recorder> {
  const kept: Recorded[] = [];
  let check = "";
  let asked = "";
  const servers: http.Server[] = [];
  const bases: Partial<Record<Route, string>> = {};
  for (const [name, target] of Object.entries(routes)) {
    const route = name as Route;
    const server = http.createServer((request, response) => {
      const named = check;
      // Attune tries models that failed now and then, while other ones are asked.
      let isAsked = false;
      const sent: Buffer[] = [];
      request.on("data", (part: Buffer) => void sent.push(part));
      request.on("end", () => {
        isAsked = Buffer.concat(sent).includes(`"model":${JSON.stringify(asked)}`);
      });
      const to = new URL(target);
      const path = to.pathname.replace(/\/$/, "") + (request.url ?? "");
      const options = { method: request.method, headers: { ...request.headers, host: to.host }, path };
      const outer = http.request({ hostname: to.hostname, port: to.port, ...options }, (answer) => {
        const { statusCode: status = 500, headers } = answer;
        response.writeHead(status, headers);
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => void parts.push(part));
        answer.on("end", () => {
          if (named === "" || !isAsked) return;
          const body = Buffer.concat(parts).toString();
          kept.push({ check: named, route, status, type: headers["content-type"] ?? "", body });
        });
        answer.on("error", () => response.destroy());
        answer.pipe(response);
      });
      outer.on("error", () => response.destroy());
      response.on("close", () => void outer.destroy());
      request.pipe(outer);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    const address = server.address();
    bases[route] = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    servers.push(server);
  }
  return {
    bases,
    label: (named, model) => {
      check = named;
      asked = model;
    },
    write: (server) => writeFixture(server, kept),
    stop: () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** Answers that say the same in another second stand there once. */
function writeFixture({ name, version, profile }: TestedServer, kept: readonly Recorded[]): void {
  const seen = new Set<string>();
  const answers = kept.filter(({ route, status, body, check }) => {
    const [what = ""] = check.split(",");
    const key = createHash("sha256")
      .update(`${what}\n${route}\n${status}\n${body.length > 20_000}`)
      .digest("hex");
    if (seen.has(key) || body.length > 20_000 || what.startsWith("usage")) return false;
    seen.add(key);
    return true;
  });
  const date = new Date().toISOString().slice(0, 10);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    join(FOLDER, `${name}.json`),
    `${JSON.stringify({ server: version, profile, date, answers }, undefined, 2)}\n`,
  );
}
