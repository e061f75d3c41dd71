import { describe, expect, it } from "vitest";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { RequestSummary } from "../../src/hub/request-summary.ts";
import type { RequestTrace } from "../../src/hub/request-trace.ts";
import { createRequestLog } from "../../src/observability/request-log.ts";

type Settings = Parameters<typeof createRequestLog>[0]["settings"] extends () => infer S ? S : never;

function openLog(settings: Settings, random = 0.5) {
  const lines: { readonly level: string; readonly facts: object }[] = [];
  const take = (level: string) => (facts: object) => void lines.push({ level, facts });
  const log = { debug: take("debug"), info: take("info") };
  const report = createRequestLog({ log, settings: () => settings, random: () => random });
  return { lines, open: (route = "POST /v1/messages") => new RequestSummary({ requestId: "r", route }, report) };
}

describe("createRequestLog()", () => {
  it("writes at its level, and nothing where it is off", () => {
    for (const level of ["off", "debug", "info"] as const) {
      const { lines, open } = openLog({ level, sample: 1 });
      open().end(200);
      expect(lines.map((line) => line.level)).toEqual(level === "off" ? [] : [level]);
    }
  });

  it.each([
    [0.4, 0],
    [0.6, 1],
    [0, 0],
  ])("samples completed requests and no others: %s", (sample, completed) => {
    const { lines, open } = openLog({ level: "info", sample });
    open().end(200);
    expect(lines).toHaveLength(completed);
    for (const reason of [ErrorReason.UNAUTHENTICATED, ErrorReason.INTERNAL, ErrorReason.CANCELED]) {
      const summary = open();
      summary.fail(new InferenceError(reason, "no"));
      summary.end(400);
    }
    expect(lines).toHaveLength(completed + 3);
  });

  it("has the trace of its request, where there is one", () => {
    const lines: object[] = [];
    const take = (facts: object) => void lines.push(facts);
    const log = { debug: take, info: take };
    const report = createRequestLog({ log, settings: () => ({ level: "info", sample: 1 }) });
    const trace = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736" } as RequestTrace;
    new RequestSummary({ requestId: "r", route: "POST /v1/messages", trace }, report).end(200);
    expect(lines).toMatchObject([{ traceId: trace.traceId }]);
  });

  it("has the format of its route where no inference was begun", () => {
    const { lines, open } = openLog({ level: "info", sample: 1 });
    for (const route of ["POST /v1/embeddings", "POST /v1/chat/completions", "GET /v1/models"]) open(route).end(400);
    expect(lines.map(({ facts }) => facts)).toMatchObject([{ format: "embeddings" }, { format: "chat" }, {}]);
    expect(lines[2]?.facts).toMatchObject({ format: undefined });
  });

  it("names the owner of a key that was rejected, and never the message", () => {
    const { lines, open } = openLog({ level: "info", sample: 1 });
    const summary = open();
    const rejectedKey = { rejected: "revoked_key", owner: { projectId: "p", keyId: "k" } } as const;
    summary.fail(new InferenceError(ErrorReason.UNAUTHENTICATED, "a message", { rejectedKey }));
    summary.end(401);
    expect(lines[0]?.facts).toMatchObject({ project: "p", key: "k", format: "messages", reason: "unauthenticated" });
    expect(JSON.stringify(lines)).not.toContain("a message");
  });
});
