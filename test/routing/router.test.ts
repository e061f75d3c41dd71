import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { ErrorReason } from "../../src/inference/error.ts";
import { PlaceWatch } from "../../src/routing/place-watch.ts";
import { createRouter } from "../../src/routing/router.ts";
import { stubModel, stubUpstream } from "../support/stub-upstream.ts";

const upstreams = ["a", "b", "sandbox"].map((name) => stubUpstream(name, []));
const deployment = (upstream: string) => ({ upstream, model: `${upstream}-model` });
const catalog = createCatalog(
  [
    { ...stubModel, name: "chatty", family: "chat", deployments: [deployment("a"), deployment("b")] },
    { ...stubModel, name: "messenger", family: "messages", deployments: [deployment("a"), deployment("sandbox")] },
  ],
  "attune",
);
const router = createRouter({
  catalog,
  upstreams: new Map(upstreams.map((upstream) => [upstream.name, upstream])),
  sandboxes: new Set(["sandbox"]),
  health: new PlaceWatch(() => 0),
  slowAfterMs: () => undefined,
  mayBegin: () => true,
});
const context = {
  inferenceId: "i",
  principal: { keyId: "k", projectId: "p" },
  workload: "",
  streamed: false,
  origin: () => undefined,
};
const plan = (model: string, dialect: Dialect = Dialect.CHAT) =>
  router.plan(create(InferenceInputSchema, { model, dialect }), context);
const names = (model: string, dialect?: Dialect) =>
  plan(model, dialect).strategy.attempts.map(({ upstream }) => upstream.name);

describe("createRouter()", () => {
  it("plans the deployments in their order", () => {
    expect(names("attune/chatty")).toEqual(["a", "b"]);
  });

  it("asks the first deployment and no other for a caller who wants it plain", () => {
    const input = create(InferenceInputSchema, { model: "attune/chatty", dialect: Dialect.CHAT, plain: true });
    const { strategy, optimizations } = router.plan(input, context);
    expect(strategy.attempts.map(({ upstream }) => upstream.name)).toEqual(["a"]);
    expect(optimizations).toEqual([]);
  });

  it.each([Dialect.CHAT, Dialect.RESPONSES, Dialect.MESSAGES, Dialect.UNSPECIFIED])(
    "lets dialect %i use the Messages family",
    (dialect) => {
      expect(plan("attune/messenger", dialect).model.name).toBe("messenger");
    },
  );

  it.each(["chatty", "attune/", "attune/unknown", "Attune/chatty", "attune/chatty/"])("does not know '%s'", (model) => {
    expect(() => plan(model)).toThrow(
      expect.objectContaining({
        reason: ErrorReason.MODEL_NOT_FOUND,
        message: `the model '${model}' does not exist here; these do: attune/chatty, attune/messenger`,
      }),
    );
  });

  it("keeps other families from the Messages format, and says which models it takes", () => {
    expect(() => plan("attune/chatty", Dialect.MESSAGES)).toThrow(
      expect.objectContaining({
        reason: ErrorReason.MODEL_NOT_FOUND,
        message:
          "the model 'attune/chatty' is not of the Messages family, which /v1/messages serves; these are: attune/messenger",
      }),
    );
  });

  it("sends a directive to the sandbox alone", () => {
    expect(names("attune/messenger:sandbox-overload")).toEqual(["sandbox"]);
    expect(() => plan("attune/chatty:sandbox-overload")).toThrow(
      expect.objectContaining({ reason: ErrorReason.INVALID_REQUEST }),
    );
  });
});
