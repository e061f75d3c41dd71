/** Lists models, generates, cancels a stream, sends feedback, and lists what was learned of workloads, over gRPC. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type CallOptions, type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Role } from "./gen/attune/content/v1/content_pb.js";
import { FeedbackService } from "./gen/attune/feedback/v1/feedback_pb.js";
import { type InferenceInputSchema, InferenceService } from "./gen/attune/inference/v1/inference_pb.js";
import { type Model, ModelService } from "./gen/attune/model/v1/model_pb.js";
import { WorkloadService } from "./gen/attune/workload/v1/workload_pb.js";

const TIMEOUT_MS = 30_000;

const transport = createGrpcTransport({ baseUrl: process.env["ATTUNE_URL"] ?? "http://127.0.0.1:8080" });
const options: CallOptions = {
  headers: { authorization: `Bearer ${process.env["ATTUNE_KEY"]}` },
  timeoutMs: TIMEOUT_MS,
};

async function listModels(client: Client<typeof ModelService>): Promise<Model[]> {
  const models: Model[] = [];
  let pageToken = "";
  do {
    const page = await client.listModels({ pageSize: 2, pageToken }, options);
    models.push(...page.models);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return models;
}

function ask(model: string, text: string): MessageInitShape<typeof InferenceInputSchema> {
  const content = [{ kind: { case: "text" as const, value: { text } } }];
  return { model, messages: [{ role: Role.USER, content }], maxOutputTokens: 1000 };
}

/** Reads a stream up to its first text, and leaves it. */
async function cancelStream(client: Client<typeof InferenceService>, model: string): Promise<string> {
  const controller = new AbortController();
  const input = ask(model, "Count to a hundred.");
  try {
    for await (const { events } of client.streamGenerate({ input }, { ...options, signal: controller.signal })) {
      for (const { event } of events) {
        if (event.case === "blockDelta" && event.value.delta.case === "text") controller.abort();
      }
    }
  } catch (error) {
    if (ConnectError.from(error).code !== Code.Canceled) throw error;
    return "canceled";
  }
  return "ended";
}

const models = await listModels(createClient(ModelService, transport));
const first = models[0]?.id ?? "";
console.log(`models: ${models.length}, the first is ${first}`);
const model = process.env["ATTUNE_MODEL"] ?? first;

const inference = createClient(InferenceService, transport);
const answer = await inference.generate({ input: ask(model, "Say hello.") }, options);
const text = answer.content.map(({ kind }) => (kind.case === "text" ? kind.value.text : "")).join("");
console.log(`generate: ${answer.finished?.usage?.outputTokens} tokens, ${text.length} characters`);

console.log(`stream: ${await cancelStream(inference, model)}`);

const { id } = await createClient(FeedbackService, transport).createMetric(
  { inferenceId: answer.id, name: "helpful", value: { case: "boolean", value: true }, reason: "it said hello" },
  options,
);
console.log(`feedback: ${id}`);

const { workloads } = await createClient(WorkloadService, transport).listWorkloads({}, options);
const learned = workloads.map((workload) => `${workload.model} (${workload.rewards} rewards)`);
console.log(`workloads: ${learned.join(", ") || "nothing was learned yet"}`);
process.exit(0);
