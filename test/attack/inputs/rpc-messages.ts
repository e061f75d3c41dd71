import { type DescMessage, fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { CreateFeedbackRequestSchema, CreateMetricRequestSchema } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import {
  CountTokensRequestSchema,
  DeleteInferenceRequestSchema,
  GenerateRequestSchema,
  GetInferenceRequestSchema,
  StreamGenerateRequestSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { GetModelRequestSchema, ListModelsRequestSchema } from "../../../gen/attune/model/v1/model_pb.ts";
import { GetUsageRequestSchema, ListRefusalsRequestSchema } from "../../../gen/attune/usage/v1/usage_pb.ts";
import {
  GetWorkloadRequestSchema,
  ListWorkloadHistoryRequestSchema,
  ListWorkloadsRequestSchema,
  ResetWorkloadRequestSchema,
  UpdateControlsRequestSchema,
} from "../../../gen/attune/workload/v1/workload_pb.ts";
import { SANDBOX_MODEL } from "../configuration.ts";

/** A right request of a method, in the JSON of protobuf and in its bytes. */
export interface RightCall {
  readonly path: string;
  readonly isStream: boolean;
  readonly json: JsonValue;
  readonly bytes: Buffer;
}

const SCHEMA = '{"type":"object","properties":{"city":{"type":"string"}}}';

const SHORT: JsonValue = {
  model: SANDBOX_MODEL,
  messages: [{ role: "ROLE_USER", content: [{ text: { text: "Hello" } }] }],
};

/** Something of each kind of block, tool and option. */
const LONG: JsonValue = {
  model: SANDBOX_MODEL,
  system: [{ text: { text: "Be brief." }, cacheMark: { ttl: "CACHE_TTL_5M" } }],
  messages: [
    {
      role: "ROLE_USER",
      name: "ann",
      content: [
        { text: { text: "What is there?" } },
        { image: { url: "https://example.com/a.png", detail: "low" } },
        { image: { inline: { mediaType: "image/png", base64: "iVBORw0KGgo=" } } },
        { audio: { base64: "AAAA", format: "wav" } },
        { document: { text: "A page.", title: "A page", context: "of a book" } },
        { document: { content: { blocks: [{ text: { text: "A part." } }] } } },
      ],
    },
    {
      role: "ROLE_ASSISTANT",
      content: [
        { thinking: { text: "I look.", summary: ["I look."], opaque: "c2ln" } },
        { toolUse: { id: "call_1", name: "look", arguments: '{"city":"Oslo"}', kind: "TOOL_KIND_FUNCTION" } },
      ],
    },
    {
      role: "ROLE_TOOL",
      content: [{ toolResult: { toolUseId: "call_1", content: [{ text: { text: "fine" } }], isError: true } }],
    },
    {
      role: "ROLE_USER",
      content: [{ text: { text: "And now?" } }, { opaque: { dialect: "DIALECT_CHAT", json: '{"type":"x"}' } }],
    },
  ],
  tools: [
    { function: { name: "look", description: "Looks.", parametersJson: SCHEMA, strict: true } },
    { custom: { name: "free" } },
  ],
  toolChoice: { mode: "TOOL_CHOICE_MODE_AUTO" },
  parallelToolCalls: true,
  maxOutputTokens: 64,
  temperature: 0.5,
  topP: 0.9,
  topK: 5,
  stopSequences: ["x"],
  metadata: { a: "b" },
  verbosity: "low",
  promptCacheKey: "k",
  extension: { dialect: "DIALECT_CHAT", json: '{"vendor":1}' },
  betas: ["beta-1"],
  workload: "attack",
  store: true,
};

const GONE = "019aa1c2-7d53-7b60-8f5e-3a1d2c4b5e6f";
const INFERENCE = "/attune.inference.v1.InferenceService/";
const USAGE = "/attune.usage.v1.UsageService/";
const WORKLOAD = "/attune.workload.v1.WorkloadService/";

function call(path: string, schema: DescMessage, json: JsonValue): RightCall {
  return {
    path,
    isStream: path.endsWith("StreamGenerate"),
    json,
    bytes: Buffer.from(toBinary(schema, fromJson(schema, json))),
  };
}

/** Right calls of every method. What is deleted is not there. */
export const RIGHT_CALLS: readonly RightCall[] = [
  call(`${INFERENCE}Generate`, GenerateRequestSchema, { input: SHORT }),
  call(`${INFERENCE}Generate`, GenerateRequestSchema, { input: LONG }),
  call(`${INFERENCE}StreamGenerate`, StreamGenerateRequestSchema, { input: SHORT }),
  call(`${INFERENCE}StreamGenerate`, StreamGenerateRequestSchema, { input: LONG }),
  call(`${INFERENCE}CountTokens`, CountTokensRequestSchema, { input: LONG }),
  call(`${INFERENCE}GetInference`, GetInferenceRequestSchema, { id: GONE, withPrevious: true }),
  call(`${INFERENCE}DeleteInference`, DeleteInferenceRequestSchema, { id: GONE }),
  call("/attune.model.v1.ModelService/ListModels", ListModelsRequestSchema, { pageSize: 2, pageToken: SANDBOX_MODEL }),
  call("/attune.model.v1.ModelService/GetModel", GetModelRequestSchema, { id: SANDBOX_MODEL }),
  call("/attune.feedback.v1.FeedbackService/CreateFeedback", CreateFeedbackRequestSchema, {
    events: [
      {
        inferenceId: GONE,
        feedback: [
          { name: "helpful", boolean: true, reason: "quick" },
          { name: "group", group: { entries: [{ name: "note", text: "x" }] } },
        ],
        tags: { page: "help" },
        optimize: "OPTIMIZE_MAX",
      },
    ],
  }),
  call("/attune.feedback.v1.FeedbackService/CreateMetric", CreateMetricRequestSchema, {
    inferenceId: GONE,
    name: "helpful",
    number: 0.5,
    reason: "quick",
    tags: { page: "help" },
    optimize: "OPTIMIZE_MIN",
  }),
  call(`${USAGE}GetUsage`, GetUsageRequestSchema, {
    from: "2027-01-01T00:00:00Z",
    to: "2027-01-31T00:00:00Z",
    groupBy: ["DIMENSION_KEY", "DIMENSION_MODEL"],
  }),
  call(`${USAGE}ListRefusals`, ListRefusalsRequestSchema, { from: "2027-01-01T00:00:00Z" }),
  call(`${WORKLOAD}ListWorkloads`, ListWorkloadsRequestSchema, { pageSize: 2, pageToken: SANDBOX_MODEL }),
  call(`${WORKLOAD}GetWorkload`, GetWorkloadRequestSchema, { model: SANDBOX_MODEL }),
  call(`${WORKLOAD}ListWorkloadHistory`, ListWorkloadHistoryRequestSchema, {
    model: SANDBOX_MODEL,
    pageSize: 2,
    pageToken: GONE,
  }),
  call(`${WORKLOAD}UpdateControls`, UpdateControlsRequestSchema, {
    model: SANDBOX_MODEL,
    controls: {
      mode: "LEARNING_MODE_ON",
      hold: "HOLD_PINNED",
      pinnedModel: SANDBOX_MODEL,
      excludedModels: [SANDBOX_MODEL],
      objective: "OBJECTIVE_COST",
      feedback: "FEEDBACK_EXTENT_COMPLETE",
      metrics: [{ name: "helpful", weight: 0.5, direction: "DIRECTION_MIN", atLeast: 0.1, atMost: 0.9 }],
    },
    updateMask: "mode,hold,excludedModels,objective,feedback,metrics",
  }),
  call(`${WORKLOAD}ResetWorkload`, ResetWorkloadRequestSchema, { model: SANDBOX_MODEL }),
];
