import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, UsageSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import type { InferenceRecord } from "../../src/inference/ports.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { inferenceRecord } from "../support/inference-record.ts";
import { stubRecorder } from "../support/stub-upstream.ts";

function setUp() {
  const inner = stubRecorder();
  const metrics = createMetrics({
    inFlight: () => 3,
    recorder: () => ({
      queued: 1,
      written: 2,
      dropped: 4,
      droppedBodies: 5,
      failedWrites: 6,
      spoolBytes: 7,
      unspooled: 8,
      rejected: 9,
      brokenBytes: 10,
      database: "away",
    }),
    database: () => "full",
    upstreamKeys: () => [
      { upstream: "up", name: "apiKeys[0]", state: "ready", inFlight: 2, headroom: 0.5 },
      { upstream: "up", name: "apiKeys[1]", state: "refused", inFlight: 0, headroom: undefined },
    ],
    upstreams: () => [{ name: "plain" }, { name: "queued", waiting: () => 12 }],
    upstreamKindOf: (upstream) => (upstream === "anthropic" ? "anthropic-messages" : ""),
  });
  const recorder = metrics.countRecords(inner);
  const offer = (changes: Partial<InferenceRecord> = {}) => recorder.offer(inferenceRecord(changes));
  const lines = async (prefix: string) => {
    const text = await metrics.expose();
    return text.split("\n").filter((line) => line.startsWith(prefix));
  };
  return { inner, metrics, offer, lines };
}

function losing(...translationLosses: string[]) {
  return create(GenerateResponseSchema, { serving: { translationLosses } });
}

describe("createMetrics()", () => {
  it("hands each record on, and counts it", async () => {
    const { inner, offer, lines } = setUp();
    offer();
    offer({ status: "failed", dialect: Dialect.UNSPECIFIED });
    offer();
    expect(inner.records).toHaveLength(3);
    expect(await lines("attune_inferences_total")).toEqual([
      'attune_inferences_total{format="messages",model="some-model",upstream="anthropic",status="completed"} 2',
      'attune_inferences_total{format="rpc",model="some-model",upstream="anthropic",status="failed"} 1',
    ]);
  });

  it("tells of the keys of upstreams by their places in the configuration", async () => {
    expect(await setUp().lines("attune_upstream_key")).toEqual([
      'attune_upstream_key_refused{upstream="up",key="apiKeys[0]"} 0',
      'attune_upstream_key_refused{upstream="up",key="apiKeys[1]"} 1',
      'attune_upstream_key_resting{upstream="up",key="apiKeys[0]"} 0',
      'attune_upstream_key_resting{upstream="up",key="apiKeys[1]"} 0',
      'attune_upstream_key_in_flight{upstream="up",key="apiKeys[0]"} 2',
      'attune_upstream_key_in_flight{upstream="up",key="apiKeys[1]"} 0',
      'attune_upstream_key_headroom{upstream="up",key="apiKeys[0]"} 0.5',
    ]);
  });

  it("writes one answer for all who ask in one turn, and another one in the next", async () => {
    const { metrics, offer } = setUp();
    const [one, same] = [metrics.expose(), metrics.expose()];
    expect(same).toBe(one);
    await one;
    await new Promise((resolve) => setImmediate(resolve));
    offer();
    expect(await metrics.expose()).not.toBe(await one);
  });

  it("counts losses by the last member of their places", async () => {
    const { offer, lines } = setUp();
    offer({ output: losing("top_k", "messages[0].content[1].title", "messages[7].content[1].title") });
    offer({ output: losing("input[3]", "messages[0].content[2]", "a.b[0][1]"), upstream: "gone" });
    const labels = (kind: string, member: string) => `{format="messages",upstream_kind="${kind}",member="${member}"}`;
    expect(await lines("attune_translation_losses_total")).toEqual([
      `attune_translation_losses_total${labels("anthropic-messages", "top_k")} 1`,
      `attune_translation_losses_total${labels("anthropic-messages", "title")} 2`,
      `attune_translation_losses_total${labels("", "input")} 1`,
      `attune_translation_losses_total${labels("", "content")} 1`,
      `attune_translation_losses_total${labels("", "b")} 1`,
    ]);
  });

  it("counts what strict mode refused apart, and for the upstream that could not carry it", async () => {
    const { offer, lines } = setUp();
    const refusedLosses = ["top_k", "messages[0].content[1].title"];
    const error = new InferenceError(ErrorReason.TRANSLATION_LOSS, "lost", { refusedLosses, upstream: "anthropic" });
    offer({ status: "failed", upstream: "", error, output: create(GenerateResponseSchema, {}) });
    const labels = (member: string) => `{format="messages",upstream_kind="anthropic-messages",member="${member}"}`;
    expect(await lines("attune_refused_losses_total")).toEqual([
      `attune_refused_losses_total${labels("top_k")} 1`,
      `attune_refused_losses_total${labels("title")} 1`,
    ]);
    expect(await lines("attune_translation_losses_total")).toEqual([]);
  });

  it("counts the events of feedback by result", async () => {
    const { metrics, lines } = setUp();
    metrics.countFeedback([undefined, ErrorReason.NOT_FOUND, undefined]);
    metrics.countFeedback([undefined]);
    expect(await lines("attune_feedback_events_total")).toEqual([
      'attune_feedback_events_total{result="stored"} 3',
      'attune_feedback_events_total{result="not_found"} 1',
    ]);
  });

  it("adds up tokens by kind, and the cost, also of what failed", async () => {
    const { offer, lines } = setUp();
    offer({ costNanos: 1_250 });
    offer({ costNanos: 250, status: "failed" });
    offer({ costNanos: undefined, usage: undefined });
    offer({ costNanos: undefined, usage: create(UsageSchema, { inputTokens: 7 }), model: "free" });
    const labels = (model: string) => `format="messages",model="${model}",upstream="anthropic"`;
    expect(await lines("attune_tokens_total")).toEqual([
      `attune_tokens_total{${labels("some-model")},kind="input"} 22`,
      `attune_tokens_total{${labels("some-model")},kind="cache_read"} 44`,
      `attune_tokens_total{${labels("some-model")},kind="cache_write"} 66`,
      `attune_tokens_total{${labels("some-model")},kind="output"} 88`,
      `attune_tokens_total{${labels("some-model")},kind="reasoning"} 10`,
      `attune_tokens_total{${labels("free")},kind="input"} 7`,
    ]);
    expect(await lines("attune_cost_nano_usd_total")).toEqual([
      `attune_cost_nano_usd_total{${labels("some-model")}} 1500`,
    ]);
  });

  it("bounds how many names there are, whatever callers send", async () => {
    const { offer, lines } = setUp();
    offer({ output: losing(...Array.from({ length: 1000 }, (_, index) => `member_${index}`)) });
    const counted = await lines("attune_translation_losses_total");
    expect(counted).toHaveLength(201);
    expect(counted.at(-1)).toContain('member="other"} 800');
  });

  it("measures the duration, and the time to the first token where there was one", async () => {
    const { offer, lines } = setUp();
    offer({ latencyMs: 1250, timeToFirstTokenMs: 99.25 });
    offer({ latencyMs: 1000, timeToFirstTokenMs: undefined });
    const labels = '{format="messages",upstream="anthropic"}';
    expect(await lines("attune_inference_duration_seconds_")).toEqual(
      expect.arrayContaining([
        'attune_inference_duration_seconds_bucket{le="1",format="messages",upstream="anthropic"} 1',
        'attune_inference_duration_seconds_bucket{le="2.5",format="messages",upstream="anthropic"} 2',
        `attune_inference_duration_seconds_sum${labels} 2.25`,
        `attune_inference_duration_seconds_count${labels} 2`,
      ]),
    );
    expect(await lines("attune_time_to_first_token_seconds_count")).toEqual([
      `attune_time_to_first_token_seconds_count${labels} 1`,
    ]);
  });

  it("has all outcomes of an alert's messages from the first one on, so that a failure is seen to rise", async () => {
    const { metrics, lines } = setUp();
    metrics.alerts.delivered("webhook", "retried");
    expect(await lines("attune_alert_deliveries_total")).toEqual([
      'attune_alert_deliveries_total{kind="webhook",outcome="delivered"} 0',
      'attune_alert_deliveries_total{kind="webhook",outcome="retried"} 1',
      'attune_alert_deliveries_total{kind="webhook",outcome="failed"} 0',
    ]);
  });

  it("tells what is under way and what the recorder did, each time anew", async () => {
    const { metrics, lines } = setUp();
    await metrics.expose();
    expect(await lines("attune_inferences_in_flight")).toEqual(["attune_inferences_in_flight 3"]);
    expect(await lines("attune_upstream_waiting")).toEqual(['attune_upstream_waiting{upstream="queued"} 12']);
    expect(await lines("attune_database_unavailable")).toEqual([
      'attune_database_unavailable{reason="away"} 0',
      'attune_database_unavailable{reason="full"} 1',
      'attune_database_unavailable{reason="missing"} 0',
    ]);
    expect(await lines("attune_recorder")).toEqual([
      "attune_recorder_database_away 1",
      "attune_recorder_queued 1",
      "attune_recorder_spool_bytes 7",
      "attune_recorder_unspooled 8",
      "attune_recorder_written_total 2",
      "attune_recorder_dropped_total 4",
      "attune_recorder_dropped_bodies_total 5",
      "attune_recorder_failed_writes_total 6",
      "attune_recorder_rejected_total 9",
      "attune_recorder_broken_bytes_total 10",
    ]);
  });
});
