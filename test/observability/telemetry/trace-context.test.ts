import { describe, expect, it } from "vitest";
import { createOpenTrace } from "../../../src/observability/telemetry/sdk/trace-context.ts";

const ID = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

function flagsToUpstream(headers: Readonly<Record<string, string>>, sampleRatio = 1): string | undefined {
  const trace = createOpenTrace({ sampleRatio, propagate: true, addCall: () => undefined })(headers);
  return trace.upstreamHeaders(0)?.["traceparent"]?.slice(-3);
}

describe("the flags that upstreams get", () => {
  it.each(["00", "01", "02", "03"])("are those of the caller: %s", (flags) => {
    expect(flagsToUpstream({ traceparent: `00-${ID}-${PARENT}-${flags}` })).toBe(`-${flags}`);
  });

  it("are without those that no version has", () => {
    expect(flagsToUpstream({ traceparent: `00-${ID}-${PARENT}-fd` })).toBe("-01");
  });

  it("say of a trace of its own that its id is random", () => {
    expect(flagsToUpstream({})).toBe("-03");
    expect(flagsToUpstream({}, 0)).toBe("-02");
  });

  it("are those of the request in what runs in the background", () => {
    const open = createOpenTrace({ sampleRatio: 1, propagate: true, addCall: () => undefined });
    const traces = ["01", "03"].map((flags) => open({ traceparent: `00-${ID}-${PARENT}-${flags}` }).child());
    expect(traces.map((trace) => trace.upstreamHeaders(0)?.["traceparent"]?.slice(-2))).toEqual(["01", "03"]);
  });
});
