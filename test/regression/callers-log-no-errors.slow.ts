import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Area, Target } from "../attack/area.ts";
import { dashboardArea } from "../attack/areas/dashboard.ts";
import { h2Area } from "../attack/areas/h2.ts";
import { httpArea, keylessArea } from "../attack/areas/http.ts";
import { rpcArea } from "../attack/areas/rpc.ts";
import { socketsArea } from "../attack/areas/sockets.ts";
import { upstreamArea } from "../attack/areas/upstream.ts";
import { webhooksArea } from "../attack/areas/webhooks.ts";
import { configuration, SANDBOX_MODEL } from "../attack/configuration.ts";
import { startHostileUpstream } from "../attack/hostile-upstream.ts";
import { Random } from "../attack/random.ts";
import { makeFixtures, UPSTREAM_KEYS } from "../attack/service.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Whoever can write errors into the log can hide what an operator has to see, and fill a disk. */
let service: TestService;
let target: Target;

const ERROR = 50;
const WARN = 40;
const LANES = 8;
const INPUTS_OF_LANE = 40;
const lines: { readonly level: number; readonly msg: string }[] = [];

beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString("utf8")));
      done();
    },
  });
  const upstream = await startHostileUpstream();
  service = await startTestService({
    yaml: configuration(upstream.url, UPSTREAM_KEYS),
    log: pino({ level: "info" }, stream),
  });
  const fixtures = await makeFixtures(service.store);
  const attacked = { ...fixtures, url: service.url, port: Number(new URL(service.url).port) };
  // What a process of its own would tell of itself, no area reads.
  target = { service: attacked as Target["service"], upstream, inferenceIds: [] };
  target = { ...target, inferenceIds: [await ask(SANDBOX_MODEL, false)] };
});

afterAll(async () => {
  await service.close();
  await target.upstream.close();
});

async function attack(area: Area): Promise<void> {
  const lanes = Array.from({ length: LANES }, async (_none, at) => {
    const lane = area.open(target);
    for (let count = 0; count < INPUTS_OF_LANE; count++) {
      const number = at * INPUTS_OF_LANE + count;
      await lane.make(new Random(1, area.name, number), number).send();
    }
    lane.close();
  });
  await Promise.all(lanes);
}

/** Resolves to the id of an answer that came whole. */
async function ask(model: string, stream: boolean): Promise<string> {
  const body = JSON.stringify({ model, stream, messages: [{ role: "user", content: "Hello" }] });
  const response = await fetch(`${service.url}/v1/chat/completions`, {
    method: "POST",
    headers: service.headers,
    body,
  });
  return /"id":"([^"]+)"/.exec(await response.text())?.[1] ?? "";
}

describe("what callers send", () => {
  const areas = [httpArea, keylessArea, rpcArea, socketsArea, h2Area, dashboardArea, upstreamArea, webhooksArea];
  it.each(areas.map((area) => [area.name, area] as const))(
    "logs no error: %s",
    { timeout: 300_000 },
    async (_name, area) => {
      await attack(area);
      expect(lines.filter(({ level }) => level >= ERROR)).toEqual([]);
    },
  );

  it("logs few warnings, however often a caller has an upstream fail", async () => {
    lines.length = 0;
    const directives = ["error=500", "error=502", "overload", "mid-stream-death=2"];
    for (let times = 0; times < 20; times++) {
      for (const directive of directives) await ask(`${SANDBOX_MODEL}:sandbox-${directive}`, times % 2 === 0);
    }
    expect(lines.filter(({ level }) => level >= ERROR)).toEqual([]);
    const warnings = lines.filter(({ level }) => level === WARN);
    expect(warnings.length).toBeLessThanOrEqual(directives.length);
    expect(lines.filter(({ msg }) => msg === "an attempt failed").length).toBeGreaterThan(50);
  });
});
