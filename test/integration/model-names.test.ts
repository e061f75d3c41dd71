import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ModelService } from "../../gen/attune/model/v1/model_pb.ts";
import { WorkloadService } from "../../gen/attune/workload/v1/workload_pb.ts";
import { type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { TEXT } from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  const change = (yaml: string) => yaml.replace("name: chatty", "name: chatty\n    aliases: [claude-sonnet-latest]");
  fixture = await startSdkFixture({ change });
});

afterAll(() => fixture.close());

const rpc = () => createConnectTransport({ baseUrl: fixture.service.url, httpVersion: "1.1" });

describe.each(["attune/chatty", "chatty", "openai/chatty", "claude-sonnet-latest", "attune/claude-sonnet-latest"])(
  "a model that is called %s",
  (model) => {
    it("answers in each format under the name that it was asked by", async () => {
      fixture.script("chat", "text", "text", "text", "text");
      const messages = [{ role: "user" as const, content: "Hello" }];
      const openai = fixture.openai();
      const answers = [
        await openai.chat.completions.create({ model, messages }),
        await openai.responses.create({ model, input: "Hello" }),
        await fixture.anthropic().messages.create({ model, messages, max_tokens: 64 }),
        await openai.responses.stream({ model, input: "Hello" }).finalResponse(),
      ];
      expect(answers.map((answer) => answer.model)).toEqual([model, model, model, model]);
      expect(fixture.lastBody()["model"]).toBe("real-chatty");
    });

    it("is recorded by its own name, beside what was asked for", async () => {
      fixture.script("chat", "text");
      const { id } = await fixture.openai().responses.create({ model, input: "Hello" });
      await fixture.service.flush();
      const row = fixture.service.store.query().selectFrom("Inference").select("model").where("id", "=", id);
      expect(await row.executeTakeFirst()).toEqual({ model: "chatty" });
      expect(await fixture.openai().responses.retrieve(id)).toMatchObject({ model });
    });

    it("is found by itself, and listed once", async () => {
      expect(await fixture.openai().models.retrieve(model)).toMatchObject({ id: "attune/chatty" });
      const listed = (await fixture.openai().models.list()).data.map(({ id }) => id);
      expect(listed.filter((id) => /chatty|latest/.test(id))).toEqual(["attune/chatty"]);
    });

    it("is known over RPC", async () => {
      fixture.script("chat", "text");
      const { headers } = fixture.service;
      const content = [{ kind: { case: "text" as const, value: { text: "Hello" } } }];
      const input = { model, messages: [{ role: Role.USER, content }] };
      const answer = await createClient(InferenceService, rpc()).generate({ input }, { headers });
      expect(answer.content[0]?.kind.value).toMatchObject({ text: TEXT });
      const found = await createClient(ModelService, rpc()).getModel({ id: model }, { headers });
      expect(found.model?.id).toBe("attune/chatty");
      const { workload } = await createClient(WorkloadService, rpc()).getWorkload({ model }, { headers });
      expect(workload?.model).toBe("attune/chatty");
    });
  },
);

it("is not found under a prefix that is not known", async () => {
  await expect(fixture.openai().models.retrieve("nobody/chatty")).rejects.toMatchObject({ status: 404 });
  const failed = createClient(WorkloadService, rpc()).getWorkload(
    { model: "nobody/chatty" },
    { headers: fixture.service.headers },
  );
  expect(((await failed.catch((thrown: unknown) => ConnectError.from(thrown))) as ConnectError).code).toBe(
    Code.NotFound,
  );
});
