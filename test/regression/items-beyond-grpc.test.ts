import { Code, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { ConversationService } from "../../gen/attune/conversation/v1/conversation_pb.ts";
import { startTestService, type TestService } from "../support/service.ts";

describe("items that a client of gRPC cannot take as one answer", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  const open = (protocol: "gRPC" | "Connect") => {
    const options = { baseUrl: service.url, readMaxBytes: 4 * 2 ** 20 };
    const client = createClient(
      ConversationService,
      protocol === "gRPC"
        ? createGrpcTransport(options)
        : createConnectTransport({ ...options, httpVersion: "1.1", readMaxBytes: 2 ** 30 }),
    );
    const call = { headers: service.headers };
    return {
      create: async () => (await client.createConversation({}, call)).conversation?.id ?? "",
      add: (asked: Parameters<typeof client.createItems>[0]) => client.createItems(asked, call),
      list: (asked: Parameters<typeof client.listItems>[0]) => client.listItems(asked, call),
    };
  };
  const message = (length: number) => ({
    role: Role.USER,
    content: [{ kind: { case: "text" as const, value: { text: "a".repeat(length) } } }],
  });

  it("are added by no call whose answer is lost", async () => {
    const client = open("gRPC");
    const conversationId = await client.create();
    const items = [message(3_000_000), message(1_500_000)];
    await expect(client.add({ conversationId, items })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage:
        "items: the answer repeats the items, and is longer than the 4194304 bytes that the caller accepts: send 1 at " +
        "first, or say in 'max_answer_bytes' what your client accepts",
    });
    expect((await client.list({ conversationId })).items).toEqual([]);
    expect((await open("Connect").add({ conversationId, items })).items).toHaveLength(2);
  });

  it("come on several pages", async () => {
    const client = open("gRPC");
    const conversationId = await client.create();
    for (let at = 0; at < 5; at += 1) await client.add({ conversationId, items: [message(1_500_000)] });
    const pages: number[] = [];
    for (let afterItemId = "", hasMore = true; hasMore; ) {
      const page = await client.list({ conversationId, afterItemId });
      pages.push(page.items.length);
      hasMore = page.hasMore;
      afterItemId = page.items.at(-1)?.id ?? "";
    }
    expect(pages).toEqual([2, 2, 1]);
    expect((await open("Connect").list({ conversationId })).items).toHaveLength(5);
  });
});
