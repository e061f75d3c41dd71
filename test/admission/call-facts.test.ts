import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallFactsSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { type FactSources, readCallFacts, readTags, withTag } from "../../src/admission/call-facts.ts";

interface Asked extends Partial<Omit<FactSources, "get">> {
  readonly headers?: Readonly<Record<string, string>>;
}

function read({ headers = {}, ...asked }: Asked) {
  const facts = readCallFacts({
    get: (name) => headers[name],
    sessionHeaders: [],
    metadata: undefined,
    endUsers: [],
    promptCacheKey: undefined,
    ...asked,
  });
  if (facts === undefined) return undefined;
  const { $typeName: _, ...members } = facts;
  return members;
}

const NOTHING = { sessionId: "", sessionSource: "", parentSessionId: "", endUserId: "", tags: {} };

describe("readCallFacts()", () => {
  it("returns nothing where a request says nothing", () => {
    expect(read({ headers: { "user-agent": "OpenAI/JS 6" }, promptCacheKey: "app", metadata: {} })).toBeUndefined();
  });

  it("reads headers of clients that send UTF-8", () => {
    const bytes = (text: string) => Buffer.from(text).toString("latin1");
    const headers = {
      "attune-session": bytes("Prüfung"),
      "attune-user": bytes("Éva"),
      "attune-tags": bytes("ort=Zürich"),
    };
    expect(read({ headers })).toMatchObject({ sessionId: "Prüfung", endUserId: "Éva", tags: { ort: "Zürich" } });
  });

  const given = create(CallFactsSchema, { sessionId: "from-message" });
  const all: Asked = {
    headers: {
      "attune-session": "from-header",
      "x-claude-code-session-id": "from-agent",
      "x-team-session": "from-configuration",
      "user-agent": "codex_cli_rs/0.146",
    },
    sessionHeaders: ["x-team-session"],
    metadata: { session_id: "from-metadata" },
    endUsers: ["user_0f3a_account__session_b7e2"],
    promptCacheKey: "from-cache-key",
  };

  it.each<[string, string, Asked]>([
    ["attune-session", "from-header", all],
    ["session_id", "from-message", { ...all, headers: {}, given }],
    ["metadata.session_id", "from-metadata", { ...all, headers: {} }],
    [
      "x-team-session",
      "from-configuration",
      { ...all, headers: { "x-team-session": "from-configuration" }, metadata: {} },
    ],
    ["metadata.user_id", "b7e2", { ...all, headers: {}, metadata: {} }],
    [
      "prompt_cache_key",
      "from-cache-key",
      { headers: { "user-agent": "codex_cli_rs/0.146" }, promptCacheKey: "from-cache-key" },
    ],
    ["prompt_cache_key", "k", { headers: { "user-agent": "pi/1.2 (linux)" }, promptCacheKey: "k" }],
  ])("takes the session from %s", (sessionSource, sessionId, asked) => {
    expect(read(asked)).toMatchObject({ sessionSource, sessionId });
  });

  it.each(["x-claude-code-session-id", "session-id", "session_id", "x-session-id", "conversation_id"])(
    "takes the session that an agent sends in %s",
    (name) => {
      expect(read({ headers: { [name]: "s1" } })).toEqual({ ...NOTHING, sessionId: "s1", sessionSource: name });
    },
  );

  it("keeps the other ids as tags, each once", () => {
    expect(read(all)?.tags).toEqual({
      "metadata.session_id": "from-metadata",
      "x-team-session": "from-configuration",
      "x-claude-code-session-id": "from-agent",
      "metadata.user_id": "b7e2",
      prompt_cache_key: "from-cache-key",
    });
    const same = { "x-claude-code-session-id": "s1", "session-id": "s1" };
    expect(read({ headers: same })?.tags).toEqual({});
  });

  it.each(["x-parent-session-id", "x-codex-parent-thread-id", "attune-parent-session"])(
    "takes the parent session from %s",
    (name) => {
      expect(read({ headers: { [name]: "p1" } })).toEqual({ ...NOTHING, parentSessionId: "p1" });
    },
  );

  it.each<[string, Asked]>([
    ["jane", { headers: { "attune-user": "jane" }, endUsers: ["john"] }],
    ["jane", { given: create(CallFactsSchema, { endUserId: "jane" }), endUsers: ["john"] }],
    ["john", { endUsers: [undefined, "john"] }],
    ["user_0f3a_account_77", { endUsers: ["user_0f3a_account_77_session_b7e2"] }],
    ["user_0f3a", { endUsers: ["user_0f3a_account__session_b7e2"] }],
    ["acc", { endUsers: ['{"device_id":"dev","account_uuid":"acc","session_id":"s"}'] }],
    ["dev", { endUsers: ['{"device_id":"dev","account_uuid":"","session_id":"s"}'] }],
    ['{"session_id"', { endUsers: ['{"session_id"'] }],
  ])("takes the end user %s", (endUserId, asked) => {
    expect(read(asked)).toMatchObject({ endUserId });
  });

  it("takes the session out of the end user of either form", () => {
    const json = '{"device_id":"dev","account_uuid":"acc","session_id":"s9"}';
    expect(read({ endUsers: [json] })).toMatchObject({ sessionId: "s9", sessionSource: "metadata.user_id" });
  });

  it.each([
    ["attune-session", "", "must not be empty"],
    ["attune-session", "x".repeat(257), "must have at most 256 characters"],
    ["attune-user", "a\u202eb", "it has U+202E"],
    ["attune-parent-session", "a\u0007", "it has U+7".replace("7", "0007")],
  ])("refuses the header %s %j", (name, value, problem) => {
    expect(() => read({ headers: { [name]: value } })).toThrow(problem);
    expect(() => read({ headers: { [name]: value } })).toThrow(`the header '${name}'`);
  });

  it("leaves out what an agent sends that is no id, since its caller has no part in it", () => {
    expect(read({ headers: { "x-session-id": "x".repeat(300), session_id: "" }, endUsers: [7, ""] })).toBeUndefined();
  });
});

const readWith = (header?: string, metadata?: Record<string, unknown>, given?: Record<string, string>) =>
  readTags({ header, metadata, given });

describe("readTags()", () => {
  it("reads names and values of the header", () => {
    expect(readWith("team=search, env=prod,formula=a=b")).toEqual({ team: "search", env: "prod", formula: "a=b" });
    expect(readWith()).toBeUndefined();
  });

  it("adds those of the message and the texts of the metadata, the header first", () => {
    expect(
      readWith(
        "team=search",
        { team: "m", size: 3, city: "Graz", session_id: "s", user_id: "u" },
        { team: "g", env: "dev" },
      ),
    ).toEqual({ team: "search", env: "dev", city: "Graz" });
  });

  it.each([
    ["team", "must be names with values: team=search, env=prod"],
    ["=x", "must be names with values: team=search, env=prod"],
    ["", "must be names with values: team=search, env=prod"],
    ["a=", "a tag must have a value of 1 to 200 characters"],
    [`${"n".repeat(65)}=x`, "a tag must have a name of 1 to 64 characters"],
    [`a=${"v".repeat(201)}`, "a tag must have a value of 1 to 200 characters"],
    ["a=1,a=2", "a tag occurs twice"],
    ["__proto__=1", "a tag must not be named __proto__"],
    [Array.from({ length: 17 }, (_, at) => `t${at}=1`).join(","), "must have at most 16 tags, not 17"],
    ["a=b\u202ec", "it has U+202E"],
  ])("refuses %j", (header, problem) => {
    expect(() => readWith(header)).toThrow(problem);
  });

  it("takes at most sixteen tags, of whatever metadata", () => {
    const metadata = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()), { maxKeys: 40 });
    fc.assert(
      fc.property(metadata, (given) => {
        const tags = Object.entries(readWith("a=1", given) ?? {});
        expect(tags.length).toBeLessThanOrEqual(16);
        for (const [name, value] of tags)
          expect([name, value]).toEqual(name === "a" ? ["a", "1"] : [name, given[name]]);
      }),
    );
  });
});

describe("withTag()", () => {
  it("leaves a tag that is there", () => {
    expect(withTag({ a: "1" }, "a", "2")).toEqual({ a: "1" });
    expect(withTag(undefined, "a", "2")).toEqual({ a: "2" });
    expect(withTag(undefined, "", "2")).toBeUndefined();
  });
});
