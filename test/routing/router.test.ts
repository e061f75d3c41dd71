import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, MessageSchema, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, GenerateResponseSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { type CatalogModel, DEFAULT_OPTIMIZATIONS } from "../../src/catalog/model.ts";
import { ErrorReason } from "../../src/hub/error.ts";
import { createHubInput, type HubInit } from "../../src/hub/input.ts";
import { routedModelCode } from "../../src/hub/routed-model-code.ts";
import { Families } from "../../src/learning/bandit/families.ts";
import { PendingDecisions } from "../../src/learning/bandit/pending-decisions.ts";
import { PromptClusters } from "../../src/learning/bandit/prompt-clusters.ts";
import { WorkloadState } from "../../src/learning/bandit/workload-state.ts";
import { PromptFamilies } from "../../src/learning/families/prompt-families.ts";
import type { Prompt } from "../../src/learning/learner/known-clusters.ts";
import type { WorkloadCachePort, WorkloadControls } from "../../src/learning/workload.ts";
import { HealthTracker } from "../../src/routing/health/health-tracker.ts";
import { PrefixReuse } from "../../src/routing/health/prefix-reuse.ts";
import { createRouter } from "../../src/routing/router.ts";
import type { RoutingSnapshot } from "../../src/routing/routing-snapshot.ts";
import { CONTROLS } from "../support/controls.ts";
import { planContext } from "../support/plan-context.ts";
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
const snapshot: RoutingSnapshot = {
  catalog,
  upstreams: new Map(upstreams.map((upstream) => [upstream.name, upstream])),
  sandboxes: new Set(["sandbox"]),
  health: new HealthTracker(() => 0),
  slowAfterMs: () => undefined,
  mayBegin: () => true,
  reuse: new PrefixReuse(() => 0),
  optimizationsOff: () => new Set<string>(),
};
const router = createRouter(snapshot);
const context = planContext();
const plan = (model: string, dialect: Dialect = Dialect.CHAT) =>
  router.plan(createHubInput({ model, dialect }), context);
const names = (model: string, dialect?: Dialect) =>
  plan(model, dialect).strategy.attempts.map(({ upstream }) => upstream.name);

describe("createRouter()", () => {
  it("plans the deployments in their order", () => {
    expect(names("attune/chatty")).toEqual(["a", "b"]);
  });

  it("asks the first deployment and no other for a caller who wants it plain", () => {
    const input = createHubInput({ model: "attune/chatty", dialect: Dialect.CHAT, plain: true });
    const { strategy, optimizations } = router.plan(input, context);
    expect(strategy.attempts.map(({ upstream }) => upstream.name)).toEqual(["a"]);
    expect(optimizations).toEqual([]);
  });

  it("does not ask what proved to serve another model, not even where another one fails; the first deployment stays", () => {
    const out = new Set(["chatty a", "chatty b", "messenger a"]);
    const wary = createRouter({
      ...snapshot,
      isDifferent: (model, { upstream }) => out.has(`${model} ${upstream}`),
    });
    const asked = (model: string) =>
      wary
        .plan(createHubInput({ model, dialect: Dialect.CHAT }), context)
        .strategy.attempts.map(({ upstream }) => upstream.name);
    expect(asked("attune/chatty")).toEqual(["a"]);
    expect(asked("attune/messenger").sort()).toEqual(["a", "sandbox"]);
  });

  it("says what the plain call is: the first deployment, also where another one is asked", () => {
    expect(plan("attune/chatty").plain).toMatchObject({ upstream: { name: "a" }, deployment: deployment("a") });
  });

  it.each([Dialect.CHAT, Dialect.RESPONSES, Dialect.MESSAGES, Dialect.UNSPECIFIED])(
    "lets dialect %i use the Messages family",
    (dialect) => {
      expect(plan("attune/messenger", dialect).model.name).toBe("messenger");
    },
  );

  it.each(["attune/", "attune/unknown", "Attune/chatty", "attune/chatty/"])("does not know '%s'", (model) => {
    expect(() => plan(model)).toThrow(
      expect.objectContaining({
        reason: ErrorReason.MODEL_NOT_FOUND,
        message: `the model '${model}' does not exist here; these do: attune/chatty, attune/messenger`,
      }),
    );
  });

  it("finds a model by the name that a project has for it, unless the catalog has that name", () => {
    const aliases: Readonly<Record<string, string>> = { "mine fast": "messenger", "mine chatty": "messenger" };
    const named = createRouter({ ...snapshot, aliasOf: (projectId, name) => aliases[`${projectId} ${name}`] });
    const find = (model: string, projectId: string) => named.modelOf(createHubInput({ model }), projectId).name;
    expect([find("fast", "mine"), find("chatty", "mine")]).toEqual(["messenger", "chatty"]);
    expect(() => find("fast", "other")).toThrow("the model 'fast' does not exist here");
  });

  it("names only models that their caller may call", () => {
    const find = (model: string, dialect: Dialect, mayCall: (name: string) => boolean) => () =>
      router.modelOf(createHubInput({ model, dialect }), "project", mayCall).name;
    const unknown = "the model 'unknown' does not exist here";
    // A model that is hidden from its caller is told of in the same words.
    expect(router.unknownModel(createHubInput({ model: "unknown" }), () => false).message).toBe(unknown);
    expect(find("unknown", Dialect.CHAT, (name) => name === "chatty")).toThrow(`${unknown}; these do: attune/chatty`);
    expect(find("unknown", Dialect.CHAT, () => false)).toThrow(new RegExp(`${unknown}$`));
    // The limits refuse it.
    expect(find("attune/chatty", Dialect.CHAT, () => false)()).toBe("chatty");
  });

  it("takes any model in any format, but for those that are restricted", () => {
    expect(plan("attune/chatty", Dialect.MESSAGES).model.name).toBe("chatty");
    const restricted = snapshot.catalog.models.map((model) =>
      model.name === "chatty" ? { ...model, routes: ["chat", "responses"] as const } : model,
    );
    const strict = createRouter({ ...snapshot, catalog: createCatalog(restricted, "attune") });
    const find = (dialect: Dialect) => strict.modelOf(createHubInput({ model: "chatty", dialect }), "project").name;
    expect([find(Dialect.CHAT), find(Dialect.RESPONSES), find(Dialect.UNSPECIFIED)]).toEqual(Array(3).fill("chatty"));
    expect(() => find(Dialect.MESSAGES)).toThrow(
      expect.objectContaining({
        reason: ErrorReason.MODEL_NOT_FOUND,
        message:
          "the model 'attune/chatty' answers /v1/chat/completions and /v1/responses alone here; " +
          "/v1/messages: these do: attune/messenger",
      }),
    );
  });

  it("says why a model that is known is not served, to those who may call it", () => {
    const missing = { name: "sonnet", reason: "no upstream is configured: add one" };
    const partial = createRouter({ ...snapshot, catalog: createCatalog(snapshot.catalog.models, "attune", [missing]) });
    const find = (model: string, mayCall?: (name: string) => boolean) => () =>
      partial.modelOf(createHubInput({ model }), "project", mayCall);
    const message = "the model 'sonnet' is not served here: no upstream is configured: add one";
    for (const name of ["sonnet", "attune/sonnet", "sonnet:sandbox-overload"]) {
      expect(find(name)).toThrow(expect.objectContaining({ reason: ErrorReason.MODEL_NOT_FOUND, message }));
    }
    expect(find("sonnet", (name) => name === "chatty")).toThrow("does not exist here; these do: attune/chatty");
  });

  describe("a check of the answer", () => {
    const jsonObject: HubInit = { outputFormat: { kind: { case: "jsonObject", value: {} } } };
    const offered: HubInit = { tools: [{ kind: { case: "function", value: { name: "f" } } }] };
    const kind = (
      checkedRetry: "off" | "unary" | "on",
      init: HubInit,
      { streamed = false, isAnswered = true, off = [] as string[], judged = true } = {},
    ) => {
      const optimizations = { ...DEFAULT_OPTIMIZATIONS, checkedRetry };
      const model = { ...stubModel, name: "chatty", deployments: [deployment("a"), deployment("b")], optimizations };
      const planning = createRouter({
        ...snapshot,
        catalog: createCatalog([model], "attune"),
        optimizationsOff: () => new Set(off),
        judge: judged ? async (texts) => texts.map(() => "fits" as const) : undefined,
      });
      const input = createHubInput({ model: "attune/chatty", ...init });
      return planning.plan(input, planContext({ streamed, isAnswered })).strategy.kind;
    };

    it("is planned where a form is asked for and the model's setting has it", () => {
      expect(kind("on", jsonObject)).toBe("checked");
      expect(kind("on", jsonObject, { streamed: true })).toBe("checked");
      expect(kind("unary", jsonObject)).toBe("checked");
      expect(kind("on", offered)).toBe("checked");
    });

    it("is not planned where it is off, nothing is asked, or a stream would be kept back for less than a form", () => {
      expect(kind("off", jsonObject)).toBe("sequence");
      expect(kind("on", {})).toBe("sequence");
      expect(kind("unary", jsonObject, { streamed: true })).toBe("sequence");
      expect(kind("on", offered, { streamed: true })).toBe("sequence");
      expect(kind("on", jsonObject, { isAnswered: false })).toBe("sequence");
      expect(kind("on", jsonObject, { off: ["checkedRetry"] })).toBe("sequence");
      expect(kind("on", jsonObject, { judged: false })).toBe("sequence");
      expect(kind("on", { ...jsonObject, plain: true })).toBe("sequence");
      expect(kind("on", { ...jsonObject, compact: true })).toBe("sequence");
    });
  });

  describe("several candidates", () => {
    const allowing = (max: number | undefined, judge?: RoutingSnapshot["judge"]) => {
      const candidates = max === undefined ? {} : { candidates: { max } };
      const model = { ...stubModel, name: "chatty", deployments: [deployment("a")], ...candidates };
      return createRouter({ ...snapshot, catalog: createCatalog([model], "attune"), judge });
    };
    const several = (candidates: number, more: HubInit = {}) =>
      createHubInput({ model: "attune/chatty", candidates, ...more });

    it("are refused beyond what is allowed, before anything else is done", () => {
      expect(() => allowing(2).modelOf(several(3), "project")).toThrow(
        "allows at most 2 for each request; ask for fewer",
      );
      expect(() => allowing(undefined).modelOf(several(2), "project")).toThrow(
        "allows one answer for each request; leave it out",
      );
      expect(() => allowing(4).modelOf(several(2, { compact: true }), "project")).toThrow("is not for compactions");
      for (const count of [0, 1]) expect(allowing(undefined).modelOf(several(count), "project").name).toBe("chatty");
      expect(allowing(2).modelOf(several(2), "project").name).toBe("chatty");
    });

    it("are planned for answers, and share none with others", () => {
      const twin: HubInit = { temperature: 0, store: false };
      const asking = { projectId: "p", streamed: false };
      expect(allowing(2).plan(several(2), context).strategy).toMatchObject({ kind: "candidates", count: 2 });
      expect(allowing(2).plan(several(1), context).strategy.kind).toBe("sequence");
      expect(allowing(2).plan(several(2), planContext({ isAnswered: false })).strategy.kind).toBe("sequence");
      expect(allowing(2).coalescing(several(1, twin), asking)).toBeDefined();
      expect(allowing(2).coalescing(several(2, twin), asking)).toBeUndefined();
    });

    it("are judged by the form that was asked for, and chosen early where a machine knows it", async () => {
      const { strategy } = allowing(2, async (texts) => texts.map(() => "fits" as const)).plan(
        several(2, { outputFormat: { kind: { case: "jsonObject", value: {} } } }),
        context,
      );
      if (strategy.kind !== "candidates") throw new Error(strategy.kind);
      const answer = create(GenerateResponseSchema, {
        content: [{ kind: { case: "text", value: { text: "{}" } } }],
        finished: { reason: FinishReason.STOP },
      });
      const judged = await strategy.judge(answer, new AbortController().signal);
      expect(judged).toMatchObject({ verdict: { failed: [], isProven: true }, conclusion: "json {}" });
      const arrived = [{ ...judged, isElsewhere: false, model: "m" }];
      expect(strategy.choose(arrived, 1)).toMatchObject({ chosen: 0, answers: [{ reason: "first_to_pass" }] });
    });
  });

  describe("what a cache that goes by marks should keep", () => {
    const init = {
      model: "attune/chatty",
      system: [{ kind: { case: "text" as const, value: { text: "word ".repeat(2000) } } }],
      tools: [{ kind: { case: "function" as const, value: { name: "f" } } }],
    };
    const cached = { ...stubModel, name: "chatty", family: "chat" as const, minCacheableTokens: 1024 };
    const parts = (
      model: Partial<CatalogModel>,
      { takesCacheMarks = true, plain = false, isAnswered = true } = {},
    ): unknown =>
      createRouter({
        catalog: createCatalog([{ ...cached, deployments: [deployment("a"), deployment("b")], ...model }], "attune"),
        upstreams: new Map([
          ["a", stubUpstream("a", [])],
          ["b", { ...stubUpstream("b", []), takesCacheMarks }],
        ]),
        sandboxes: new Set(),
        health: new HealthTracker(() => 0),
        slowAfterMs: () => undefined,
        mayBegin: () => true,
        reuse: new PrefixReuse(() => 0),
        optimizationsOff: () => new Set(),
      }).plan(createHubInput({ ...init, plain }), planContext({ isAnswered })).cachedParts;

    it("is planned where any place has such a cache", () => {
      expect(parts({})).toEqual({ prefix: true, conversation: true });
      expect(parts({}, { takesCacheMarks: false })).toBeUndefined();
    });

    it("is left to the caller for counts, by configuration and where a plain answer is asked for", () => {
      const off = {
        choice: true,
        failover: true,
        hedging: true,
        coalescing: true,
        cacheMarks: false,
        cacheKeys: false,
        flexTier: false,
        checkedRetry: "off" as const,
      };
      expect(parts({}, { isAnswered: false })).toBeUndefined();
      expect(parts({ optimizations: off })).toBeUndefined();
      expect(parts({}, { plain: true })).toBeUndefined();
    });
  });

  describe("the key of a prompt for a cache that takes one", () => {
    const system = [{ kind: { case: "text" as const, value: { text: "word ".repeat(2000) } } }];
    const cached = { ...stubModel, name: "chatty", family: "chat" as const, minCacheableTokens: 1024 };
    interface Place {
      readonly model?: Partial<CatalogModel>;
      readonly takesCacheKeys?: boolean;
      readonly isAnswered?: boolean;
      /** What the project has switched off. */
      readonly off?: readonly string[];
    }
    const key = (
      asked: HubInit = {},
      { model = {}, takesCacheKeys = true, isAnswered = true, off = [] }: Place = {},
    ): unknown =>
      createRouter({
        catalog: createCatalog([{ ...cached, deployments: [deployment("a"), deployment("b")], ...model }], "attune"),
        upstreams: new Map([
          ["a", stubUpstream("a", [])],
          ["b", { ...stubUpstream("b", []), takesCacheKeys }],
        ]),
        sandboxes: new Set(),
        health: new HealthTracker(() => 0),
        slowAfterMs: () => undefined,
        mayBegin: () => true,
        reuse: new PrefixReuse(() => 0),
        optimizationsOff: (projectId) => new Set(projectId === "p" ? off : ["cacheKeys"]),
      }).plan(createHubInput({ model: "attune/chatty", system, ...asked }), planContext({ isAnswered })).cacheKey;

    it("is planned where any place takes it, the same for prompts that begin alike", () => {
      expect(key()).toMatch(/^attune-[\w-]{22}$/);
      expect(key({ messages: [{ role: Role.USER }] })).toBe(key());
      expect(key({ system: [] })).toBeUndefined();
      expect(key({}, { takesCacheKeys: false })).toBeUndefined();
    });

    it("is left to the caller who names the prompt, for counts, and where it is switched off", () => {
      const off = { ...DEFAULT_OPTIMIZATIONS, cacheKeys: false };
      expect(key({ promptCacheKey: "mine" })).toBeUndefined();
      expect(key({ promptCacheKey: "" })).toBeUndefined();
      expect(key({ extension: { dialect: Dialect.CHAT, json: '{"user":"ann"}' } })).toBeUndefined();
      expect(key({}, { isAnswered: false })).toBeUndefined();
      expect(key({}, { model: { optimizations: off } })).toBeUndefined();
      expect(key({ plain: true })).toBeUndefined();
      expect(key({}, { off: ["cacheKeys"] })).toBeUndefined();
      expect(key({}, { off: ["cacheMarks", "of a later version"] })).toBeDefined();
    });
  });

  it("sends a directive to the sandbox alone", () => {
    expect(names("attune/messenger:sandbox-overload")).toEqual(["sandbox"]);
    expect(() => plan("attune/chatty:sandbox-overload")).toThrow(
      expect.objectContaining({ reason: ErrorReason.INVALID_REQUEST }),
    );
  });

  describe("with what was learned of workloads", () => {
    const learned = createCatalog(
      ["chatty", "cheap", "dear"].map((name, index) => ({
        ...stubModel,
        name,
        deployments: [deployment(index === 0 ? "a" : "b")],
      })),
      "attune",
    );
    const state = new WorkloadState({ arms: ["chatty", "cheap", "gone"], base: "chatty", feedback: "complete" });
    const workload = (controls: Partial<WorkloadControls>): WorkloadCachePort => ({
      find: (key) => ({
        key,
        state,
        clusters: new Map(),
        selector: undefined,
        pendingDecisions: new PendingDecisions(),
        version: 1,
        controls: {
          ...CONTROLS,
          feedback: "complete",
          ...controls,
        },
      }),
    });
    const pinned = workload({ hold: { kind: "pinned", model: "cheap" } });
    const planWith = (
      workloads: WorkloadCachePort,
      given: Parameters<typeof planContext>[0] = {},
      plain = false,
      input: object = {},
    ) =>
      createRouter({
        catalog: learned,
        upstreams: new Map(upstreams.map((upstream) => [upstream.name, upstream])),
        sandboxes: new Set(),
        health: new HealthTracker(() => 0),
        slowAfterMs: () => undefined,
        mayBegin: () => true,
        reuse: new PrefixReuse(() => 0),
        optimizationsOff: () => new Set(),
        workloads,
      }).plan(createHubInput({ model: "attune/chatty", plain, ...input }), planContext(given));
    const asked = ({ strategy }: ReturnType<typeof planWith>) =>
      strategy.attempts.map(({ model, upstream }) => `${model.name} at ${upstream.name}`);

    it("asks the model that is chosen, and base where that fails", () => {
      const planned = planWith(pinned);
      expect(asked(planned)).toEqual(["cheap at b", "chatty at a"]);
      expect(planned.model.name).toBe("chatty");
      expect(planned.decision).toMatchObject({ mode: "on", family: "auto:plain", arm: 1 });
    });

    it("names the cluster that the prompt is of, and decides on the family while it is tried", () => {
      const prompts = Array.from({ length: 40 }, (_, at) =>
        at % 2 === 0 ? `What is ${at + 10} + ${at + 20}?` : "Write a long poem on the snow of the last winter.",
      );
      const clusters = PromptClusters.learn(prompts, 2);
      const known = new Map([["auto:plain", { generation: 7, find: ({ text }: Prompt) => clusters.find(text) }]]);
      const divided: WorkloadCachePort = {
        find: (key) => {
          const found = pinned.find(key);
          return found && { ...found, clusters: known };
        },
      };
      const familyOf = (...texts: string[]) => {
        const messages = texts.map((text, at) =>
          create(MessageSchema, {
            role: at % 2 === 0 ? Role.USER : Role.ASSISTANT,
            content: [{ kind: { case: "text", value: { text } } }],
          }),
        );
        return planWith(divided, {}, false, { messages }).decision?.family;
      };
      const [sums, poems] = [
        `auto:plain#7.${clusters.find("What is 31 + 42?")}`,
        `auto:plain#7.${clusters.find("Write a long poem on the snow of the last winter.")}`,
      ];
      expect(sums).not.toBe(poems);
      expect(familyOf("What is 19 + 84?")).toBe(sums);
      expect(familyOf("Write a long poem on the snow of the last winter.")).toBe(poems);
      // A conversation stays in the cluster that it began in.
      expect(familyOf("What is 19 + 84?", "13", "Write a long poem on the snow of the last winter.")).toBe(sums);
      expect(planWith(divided, {}, false, { workload: "mine" }).decision?.family).toBe("tag:mine");
    });

    it("names the cluster that the template is of", () => {
      const system = [{ kind: { case: "text", value: { text: "You answer questions on law." } } }] as const;
      const input = createHubInput({ system: [...system] });
      const [whole, template] = [
        new PromptFamilies().of(input, new Families(1)),
        new PromptFamilies().templateOf(input),
      ];
      const find = (prompt: Prompt) => (prompt.template === template ? 3 : 4);
      const divided: WorkloadCachePort = {
        find: (key) => {
          const found = pinned.find(key);
          return found && { ...found, clusters: new Map([[whole, { generation: 7, find }]]) };
        },
      };
      expect(planWith(divided, {}, false, { system }).decision?.family).toBe(`${whole}#7.3`);
    });

    it("asks base where it only observes, for a caller who wants it plain, and to count", () => {
      expect(asked(planWith(workload({ mode: "observe", hold: { kind: "pinned", model: "cheap" } })))).toEqual([
        "chatty at a",
      ]);
      expect(asked(planWith(pinned, {}, true))).toEqual(["chatty at a"]);
      expect(planWith(pinned, { isAnswered: false }).decision).toBeUndefined();
    });

    it("asks base for several answers, and decides nothing that could be learned of", () => {
      const several = planWith(pinned, {}, false, { candidates: 3 });
      expect(asked(several)).toEqual(["chatty at a", "chatty at a", "chatty at a"]);
      expect(several.decision).toBeUndefined();
    });

    it("asks for several answers of the model that a conversation is under way with", () => {
      const bound = planWith(workload({}), { awaiting: () => routedModelCode("chatty", "cheap") }, false, {
        candidates: 2,
      });
      expect(asked(bound)).toEqual(["cheap at b", "cheap at b", "chatty at a"]);
      expect(bound.decision).toBeUndefined();
    });

    it("asks base where the other model would lose what base does not", () => {
      const lossesAt = (losses: Record<string, string[] | undefined>) => ({
        lossesAt: ({ name }: CatalogModel) => losses[name],
      });
      expect(asked(planWith(pinned, lossesAt({ cheap: ["top_k"], chatty: [] })))).toEqual(["chatty at a"]);
      expect(asked(planWith(pinned, lossesAt({ cheap: undefined, chatty: [] })))).toEqual(["chatty at a"]);
      expect(asked(planWith(pinned, lossesAt({ cheap: ["top_k"], chatty: ["top_k", "seed"] })))).toEqual([
        "cheap at b",
        "chatty at a",
      ]);
    });

    it("asks nobody else where nothing is known of the workload", () => {
      expect(planWith({ find: () => undefined }).decision).toBeUndefined();
    });
  });
});
