import { describe, expect, it } from "vitest";
import { ConversationService } from "../../gen/attune/conversation/v1/conversation_pb.ts";
import { WorkloadService } from "../../gen/attune/workload/v1/workload_pb.ts";
import { createDocument } from "../../src/openapi/document.ts";
import { describeService } from "../../src/openapi/rpc-part.ts";

const TAG = { name: "Tag", description: "A tag" };

const ROUTED = {
  service: ConversationService,
  tag: TAG,
  key: "admin",
  examples: { updateConversation: { body: { metadata: { topic: "demo" } } } },
  links: { createConversation: { getConversation: { id: "$response.body#/id" } } },
  routes: {
    "/v1/things": { POST: { rpc: "createConversation" } },
    "/v1/things/:id": { GET: { rpc: "getConversation" }, PATCH: { rpc: "updateConversation" } },
    "/v1/things/:conversation_id/items": { GET: { rpc: "listItems" } },
  },
} as const;

const { operations, schemas } = describeService(ROUTED);

describe("describeService()", () => {
  it("describes each route by the messages of its RPC", () => {
    expect(operations.map(({ method, path, id, summary }) => [method, path, id, summary])).toEqual([
      ["post", "/v1/things", "conversationCreateConversation", "Create conversation"],
      ["get", "/v1/things/{id}", "conversationGetConversation", "Get conversation"],
      ["patch", "/v1/things/{id}", "conversationUpdateConversation", "Update conversation"],
      ["get", "/v1/things/{conversation_id}/items", "conversationListItems", "List items"],
    ]);
    expect(operations[0]?.answer.links).toEqual({
      getConversation: { operation: "conversationGetConversation", parameters: { id: "$response.body#/id" } },
    });
    expect(operations[2]?.examples).toEqual({ example: { body: { metadata: { topic: "demo" } } } });
  });

  it("fills paths of examples by values, but for what a link fills", () => {
    const { operations: filled } = describeService({ ...ROUTED, values: { id: "c1", conversation_id: "c2" } });
    expect(filled.map(({ examples }) => examples["example"]?.parameters)).toEqual([
      undefined,
      undefined,
      { id: "c1" },
      { conversation_id: "c2" },
    ]);
  });

  it("has the fields that the path lacks in the query, or in the body", () => {
    const [, , update, list] = operations;
    expect(Object.keys(list?.parameters?.query ?? {})).toEqual(["page_size", "after_item_id", "latest_first"]);
    expect(Object.keys(update?.parameters?.path ?? {})).toEqual(["id"]);
    expect(schemas["ConversationUpdateConversationRequest"]).toEqual({
      type: "object",
      description: "attune.conversation.v1.UpdateConversationRequest",
      additionalProperties: false,
      properties: {
        metadata: {
          type: "object",
          additionalProperties: { type: "string" },
          description: "attune.conversation.v1.UpdateConversationRequest.metadata",
        },
      },
    });
  });

  it("has the members of the resource beside those of the answer, and lists in data", () => {
    expect(schemas["ConversationGetConversationResult"]).toMatchObject({
      properties: {
        object: { const: "conversation" },
        id: { type: "string" },
        created_at: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
      },
    });
    expect(schemas["ConversationListItemsResult"]).toMatchObject({
      properties: { object: { const: "list" }, data: { type: "array" }, has_more: { type: "boolean" } },
    });
    // A block of content may have blocks inside.
    expect(schemas["ContentToolResultBlock"]).toMatchObject({
      properties: { content: { items: { $ref: "#/components/schemas/ContentContentBlock" } } },
    });
  });

  it("has the words of enums, and a resource's members in the body itself", () => {
    const part = describeService({
      service: WorkloadService,
      tag: TAG,
      key: undefined,
      examples: {},
      routes: { "/v1/workloads/:model": { PATCH: { rpc: "updateControls", resource: "controls" } } },
    });
    const { properties = {} } = part.schemas["WorkloadUpdateControlsRequest"] as {
      properties?: Record<string, unknown>;
    };
    expect(part.operations[0]?.description).toMatch(/^Changes the settings of a workload.* null removes one\.$/);
    expect(properties).toMatchObject({
      hold: { enum: ["free", "frozen", "pinned"], description: expect.stringMatching(/^[A-Z].* /) },
      all_workloads: { type: "boolean" },
    });
    expect(Object.keys(properties)).not.toContain("update_mask");
    expect(Object.keys(createDocument([part])["paths"] as object)).toEqual(["/v1/workloads/{model}"]);
  });

  it("throws for a route without a method", () => {
    const routes = { "/v1/things": { GET: { rpc: "noSuch" } } };
    const describing = () =>
      describeService({ service: WorkloadService, tag: TAG, key: undefined, examples: {}, routes });
    expect(describing).toThrow("GET /v1/things has no method of WorkloadService");
  });
});
