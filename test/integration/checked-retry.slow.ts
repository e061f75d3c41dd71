import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRandom } from "../../src/lib/hash.ts";
import { readAttempts } from "../../src/store/dashboard/reads/read-attempts.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { writeSettings } from "../../src/store/settings/write-settings.ts";
import { type Asked, askInFormat, FORMATS_AND_WAYS, idOf, textOf, withTool } from "../support/ask-in-format.ts";
import { answerChecked, checkedModel, checkedModels, forSchema } from "../support/checked-models.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { untilUnderWay } from "../support/under-way.ts";
import { JSON_TEXT, type Scenario, TEXT } from "../support/upstream-frames.ts";

let upstream: ScriptedUpstream;
let service: TestService;
/** What the model says next; the last one repeats. */
let script: Scenario[] = [];

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  service = await startTestService({ yaml: yaml(upstream.url), heartbeatMs: 40 });
});
beforeEach(() => {
  script = [];
  upstream.received.length = 0;
  upstream.answerBy(answerByScript);
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

const nextScenario = (): Scenario => (script.length > 1 ? script.shift() : script[0]) ?? "text";
const answerByScript = (path: string, body: string) => answerChecked(path, body, nextScenario);

const SCHEMA = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "integer" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const OTHER_SCHEMA = { type: "object", required: ["none"] };
const WEATHER = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

const ask = (asked: Asked) => askInFormat(service, asked);

describe.each(FORMATS_AND_WAYS)("$format, streamed: $stream", ({ format, stream }) => {
  const model = `${format}-on`;
  const members = forSchema(format, SCHEMA);

  it("asks once more where the text is not the JSON that was asked for", async () => {
    script = ["text", "json"];
    const answer = await ask({ format, model, members, stream });
    expect(answer).toMatchObject({ status: 200, text: JSON_TEXT, optimizations: "checked-retry", deviation: "none" });
    expect(upstream.received).toHaveLength(2);
    const { row, attempts } = await written(answer.body);
    expect(row).toMatchObject({ status: "completed", optimizations: ["checked-retry"], deviation: "none" });
    expect(attempts).toMatchObject([
      { role: "primary", outcome: "completed", isWinner: false, failedChecks: ["invalid_json"] },
      { role: "retry", outcome: "completed", isWinner: true, failedChecks: [] },
    ]);
    expect(row.costNanos).toBe(2 * (row.baseCostNanos ?? 0));
    expect(row.saved).toEqual({ retry: -(row.baseCostNanos ?? 0) });
  });

  it("gives what was said first where the second answer is no better, and no error", async () => {
    script = ["json"];
    const answer = await ask({ format, model, members: forSchema(format, OTHER_SCHEMA), stream });
    expect(answer).toMatchObject({ status: 200, text: JSON_TEXT, optimizations: "checked-retry" });
    expect(upstream.received).toHaveLength(2);
  });

  it("asks once more where arguments do not fit the tool's schema, and once where they do", async () => {
    script = ["calls"];
    const fitting = await ask({ format, model, members: withTool(format, WEATHER, true), stream });
    expect(fitting).toMatchObject({ status: 200, optimizations: "none" });
    expect(upstream.received).toHaveLength(1);
    const other = { type: "object", properties: { city: { type: "number" } } };
    const answer = await ask({ format, model, members: withTool(format, other, true), stream });
    expect(answer).toMatchObject({ status: 200, optimizations: "checked-retry" });
    const { attempts } = await written(answer.body);
    expect(attempts.map(({ failedChecks }) => failedChecks)).toEqual([["arguments_mismatch"], ["arguments_mismatch"]]);
  });

  it("checks the caller's own schema, of which the upstream takes less", async () => {
    script = ["json"];
    const warm = { ...SCHEMA, properties: { ...SCHEMA.properties, degrees: { type: "integer", minimum: 20 } } };
    const answer = await ask({ format, model: "messages-on", members: forSchema(format, warm), stream });
    expect(answer).toMatchObject({ status: 200, optimizations: "checked-retry" });
    const { attempts } = await written(answer.body);
    expect(attempts.map(({ failedChecks }) => failedChecks)).toEqual([["schema_mismatch"], ["schema_mismatch"]]);
    expect(upstream.received.map(({ body }) => body.includes('"minimum":20'))).toEqual(
      [1, 2].map(() => format === "messages"),
    );
  });

  it.each<[string, Scenario]>([
    ["a refusal", "refusal"],
    ["what the limit of tokens cut", "length"],
  ])("does not ask once more for %s", async (_, scenario) => {
    script = [scenario];
    expect(await ask({ format, model, members, stream })).toMatchObject({ status: 200, optimizations: "none" });
    expect(upstream.received).toHaveLength(1);
  });

  it("asks once where nothing of the form is asked, where it is off, and where the caller or the project wants nothing done", async () => {
    script = ["text"];
    expect(await ask({ format, model, members: {}, stream })).toMatchObject({ text: TEXT, optimizations: "none" });
    expect(await ask({ format, model: `${format}-off`, members, stream })).toMatchObject({ text: TEXT });
    const headers = { "attune-optimize": "off" };
    expect(await ask({ format, model, members, stream, headers })).toMatchObject({ text: TEXT, optimizations: "none" });
    expect(upstream.received).toHaveLength(3);
  });

  it("fails as the model does", async () => {
    upstream.answerBy(() => ({ status: 400, ...wholeAnswer('{"error":{"message":"no such thing"}}') }));
    // A sign of life before the failure would have said 200.
    const others = service;
    service = await startTestService({ yaml: yaml(upstream.url) });
    try {
      expect((await ask({ format, model, members, stream })).status).toBe(400);
    } finally {
      await service.close();
      service = others;
      upstream.answerBy(answerByScript);
    }
  });
});

describe("a stream", () => {
  const members = forSchema("chat", SCHEMA);

  it("is kept back with signs of life until it is checked, where the model's setting is for streams too", async () => {
    script = ["text", "json"];
    // Each call is answered once one more sign has come.
    const signs = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    upstream.answerBy((path, body) => {
      const answer = answerByScript(path, body);
      const sign = signs[upstream.received.length - 1] ?? expect.unreachable("there are two calls");
      return { ...answer, steps: [{ until: sign.promise }, ...answer.steps] };
    });
    const onBody = (soFar: string) => {
      for (const sign of signs.slice(0, soFar.split(": keep-alive\n").length - 1)) sign.resolve();
    };
    const { body, optimizations } = await ask({ format: "chat", model: "chat-on", members, stream: true, onBody });
    const lines = body.split("\n").filter((line) => line !== "");
    const first = lines.findIndex((line) => line.startsWith("data:"));
    expect(lines.slice(0, first).filter((line) => line === ": keep-alive").length).toBeGreaterThanOrEqual(2);
    expect(optimizations).toBe("checked-retry");
    const { row } = await written(body);
    // After two signs, of which one comes 40 ms after the other.
    expect(row.timeToFirstTokenMs).toBeGreaterThan(70);
  });

  it("comes as it is said where the setting is for whole answers, or no form is asked for but tools are offered", async () => {
    script = ["text"];
    const whole = await ask({ format: "chat", model: "chat-unary", members, stream: true });
    expect(whole).toMatchObject({ text: TEXT, optimizations: "none" });
    script = ["calls"];
    const offered = withTool("chat", { type: "object", properties: { city: { type: "number" } } }, false);
    expect(await ask({ format: "chat", model: "chat-on", members: offered, stream: true })).toMatchObject({
      optimizations: "none",
    });
    expect(upstream.received).toHaveLength(2);
    expect(await ask({ format: "chat", model: "chat-on", members: offered })).toMatchObject({
      optimizations: "checked-retry",
    });
  });
});

describe("identical requests at the same time", () => {
  it.each([false, true])("share both calls, and all get the answer that passed; streamed: %s", async (stream) => {
    script = ["text", "json"];
    const held = Promise.withResolvers<void>();
    upstream.answerBy((path, body) => {
      const answer = answerByScript(path, body);
      return { ...answer, steps: [{ until: held.promise }, ...answer.steps] };
    });
    const members = { ...forSchema("chat", SCHEMA), temperature: 0, seed: stream ? 1 : 2 };
    const asking = [1, 2, 3].map(() => ask({ format: "chat", model: "chat-on", members, stream }));
    await untilUnderWay(service, 3);
    held.resolve();
    const answers = await Promise.all(asking);
    expect(answers.map(({ text }) => text)).toEqual([JSON_TEXT, JSON_TEXT, JSON_TEXT]);
    expect(answers.map(({ optimizations }) => optimizations).sort()).toEqual([
      "checked-retry",
      "checked-retry, coalesced",
      "checked-retry, coalesced",
    ]);
    expect(upstream.received).toHaveLength(2);
  });
});

describe("a response that is made in the background", () => {
  it("is asked for once more too", async () => {
    script = ["text", "json"];
    const headers = service.headers;
    const body = { model: "attune/responses-on", input: "x", background: true, ...forSchema("responses", SCHEMA) };
    const begun = await fetch(`${service.url}/v1/responses`, { method: "POST", headers, body: JSON.stringify(body) });
    const { id } = (await begun.json()) as { id: string };
    const read = async () => (await fetch(`${service.url}/v1/responses/${id}`, { headers })).text();
    await expect.poll(async () => JSON.parse(await read()).status).toBe("completed");
    expect(textOf("responses", await read(), false)).toBe(JSON_TEXT);
    expect(upstream.received).toHaveLength(2);
  });
});

describe("a rule of the model", () => {
  it.each([false, true])(
    "has texts asked for once more that do not match, of its workload; streamed: %s",
    async (stream) => {
      const asked = async (workload: string) => {
        upstream.received.length = 0;
        script = ["text", "json"];
        const headers = { "attune-workload": workload };
        const { text, optimizations } = await ask({ format: "chat", model: "ruled", members: {}, stream, headers });
        return { text, optimizations, calls: upstream.received.length };
      };
      expect(await asked("weather")).toEqual({ text: JSON_TEXT, optimizations: "checked-retry", calls: 2 });
      expect(await asked("others")).toEqual({ text: TEXT, optimizations: "none", calls: 1 });
    },
  );
});

describe("a project that has switched it off", () => {
  it("gets what the model says, from a second later on", async () => {
    script = ["text"];
    const asked = async () =>
      (await ask({ format: "chat", model: "chat-on", members: forSchema("chat", SCHEMA) })).optimizations;
    expect(await asked()).toBe("checked-retry");
    await writeSettings(service.store, DEFAULT_PROJECT.id, { optimizationsOff: ["checkedRetry"] });
    await expect.poll(asked).toBe("none");
    await writeSettings(service.store, DEFAULT_PROJECT.id, { optimizationsOff: [] });
    await expect.poll(asked).toBe("checked-retry");
  });
});

describe("the metrics", () => {
  it("count what was checked and what failed", async () => {
    const read = async (): Promise<Record<string, number>> => {
      const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
      const found = text.matchAll(/^(attune_(?:checked_answers|failed_checks)_total\{.*\}) (\d+)$/gm);
      return Object.fromEntries([...found].map(([, name = "", count]) => [name, Number(count)]));
    };
    const before = await read();
    script = ["text", "json"];
    await ask({ format: "responses", model: "responses-on", members: forSchema("responses", SCHEMA) });
    const after = await read();
    const grown = Object.entries(after).filter(([name, count]) => count > (before[name] ?? 0));
    expect(grown.map(([name]) => name).sort()).toEqual([
      'attune_checked_answers_total{upstream="responses",role="primary",result="failed"}',
      'attune_checked_answers_total{upstream="responses",role="retry",result="passed"}',
      'attune_failed_checks_total{upstream="responses",check="invalid_json"}',
    ]);
  });
});

/** Of ten answers, six are JSON: always the same ones. */
function sixtyPercent(count: number): Scenario[] {
  const random = createRandom("sixty percent");
  return Array.from({ length: count }, () => (random() < 0.6 ? "json" : "text"));
}

describe("a model of which 60% of the answers are JSON", () => {
  const ASKED = 15;

  it.each(FORMATS_AND_WAYS)(
    "is right in more of them where it is asked once more: $format, streamed: $stream",
    async (asked) => {
      const { format } = asked;
      const right: Record<string, number> = {};
      for (const setting of ["off", "on"]) {
        script = sixtyPercent(2 * ASKED);
        right[setting] = 0;
        for (let count = 0; count < ASKED; count++) {
          const { text } = await ask({ ...asked, model: `${format}-${setting}`, members: forSchema(format, SCHEMA) });
          if (text === JSON_TEXT) right[setting] += 1;
        }
      }
      // What the sequence says, exactly: the single answers are its beginning, and each one that is wrong takes one
      // more from it.
      expect(right).toEqual(expectedRight(ASKED));
      expect(right["on"]).toBeGreaterThan(right["off"] ?? 0);
    },
  );
});

function expectedRight(asked: number): Record<string, number> {
  const drawn = sixtyPercent(2 * asked).map((scenario) => scenario === "json");
  const off = drawn.slice(0, asked).filter(Boolean).length;
  let [on, next] = [0, 0];
  for (let each = 0; each < asked; each++) if (drawn[next++] || drawn[next++]) on += 1;
  return { off, on };
}

async function written(body: string) {
  const { row } = await readWhenWritten(service.store, idOf(body));
  return { row, attempts: (await readAttempts(service.store, [row.id])).get(row.id) ?? [] };
}

function yaml(url: string): string {
  return `${checkedModels(url, ["off", "unary", "on"])}${checkedModel("chat", "on", "ruled")}
    checks: [ { workload: weather, pattern: '"city":' } ]
`;
}
