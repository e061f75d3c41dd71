import { describe, expect, it } from "vitest";
import { Dialect, Role, ToolChoiceMode, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import { flattenInput } from "../../../../src/formats/shared/tool-names/flatten-input.ts";
import { createHubInput, type HubInit } from "../../../../src/hub/input.ts";
import { growthOf, LINEAR } from "../../../support/work-ratio.ts";

const raw = (json: object) => ({ dialect: Dialect.RESPONSES, json: JSON.stringify(json) });
const opaque = (json: object) => ({ kind: { case: "opaque" as const, value: raw(json) } });
const plain = (name: string) => ({ kind: { case: "function" as const, value: { name } } });
const inner = (name: string, members: object = {}) => ({ type: "function", name, ...members });
const namespace = (name: string, tools: object[], members: object = {}) =>
  opaque({ type: "namespace", name, tools, ...members });
const CRM = namespace("crm", [inner("find"), inner("close")]);

function flatten(init: HubInit) {
  const flat = flattenInput(createHubInput({ dialect: Dialect.RESPONSES, ...init }), { maxLength: 64 });
  if (flat === undefined) throw new Error("nothing was flattened");
  return flat;
}
const namesOf = (init: HubInit) =>
  flatten(init).input.tools.map(({ kind }) => (kind.case === "opaque" ? "opaque" : kind.value?.name));

describe("flattenInput()", () => {
  it("leaves requests without namespaces alone", () => {
    const input = createHubInput({ tools: [plain("f"), opaque({ type: "web_search" })] });
    expect(flattenInput(input, { maxLength: 64 })).toBeUndefined();
  });

  it("puts the tools of a namespace in its place, of both kinds, as they are but for their names", () => {
    const calc = { type: "custom", name: "calc", description: "Sums.", format: { type: "text" } };
    const find = inner("find", { description: "Finds.", parameters: { type: "object" }, strict: true });
    const { input, losses } = flatten({ tools: [plain("f"), namespace("crm", [find, calc]), plain("g")] });
    expect(losses).toEqual([]);
    expect(input.tools.map(({ kind }) => kind)).toMatchObject([
      { value: { name: "f" } },
      {
        case: "function",
        value: { name: "crm__find", description: "Finds.", parametersJson: '{"type":"object"}', strict: true },
      },
      { case: "custom", value: { name: "crm__calc", description: "Sums.", formatJson: '{"type":"text"}' } },
      { value: { name: "g" } },
    ]);
  });

  it("says what a namespace is about once, of the first function that the model may call", () => {
    const tools = [
      namespace("crm", [inner("find"), inner("close", { description: "Closes." })], { description: "CRM." }),
    ];
    const described = (init: HubInit) =>
      flatten(init).input.tools.map(({ kind }) => (kind.case === "function" ? kind.value.description : undefined));
    expect(described({ tools })).toEqual(["crm: CRM.", "Closes."]);
    const opaqueChoice = raw({ type: "allowed_tools", mode: "auto", tools: [inner("close")] });
    const toolChoice = { mode: ToolChoiceMode.AUTO, allowedNames: ["close"], opaque: opaqueChoice };
    expect(described({ tools, toolChoice })).toEqual([undefined, "crm: CRM.\n\nCloses."]);
  });

  it("names what is lost at its place in the caller's request", () => {
    const deferred = inner("find", { defer_loading: true, async: false });
    const tools = [namespace("crm", [deferred, { type: "shell" }], { icon: "x" }), namespace("none", [])];
    const { losses, placeOf, input } = flatten({ tools: [...tools, plain("f")] });
    expect(losses).toEqual(["tools[0].extension.icon", "tools[0].extension.tools[1]", "tools[1]"]);
    expect(input.tools[0]?.extension?.json).toBe('{"defer_loading":true,"async":false}');
    expect(placeOf("tools[0].extension.defer_loading")).toBe("tools[0].extension.tools[0].defer_loading");
    expect(placeOf("tools[0].parameters_json")).toBe("tools[0].extension.tools[0].parameters");
    expect(placeOf("tools[1].name")).toBe("tools[2].name");
    expect(placeOf("messages[1]")).toBe("messages[1]");
  });

  it("renames calls of namespaces, and leaves what their results say of them out", () => {
    const call = (id: string, name: string, kind = ToolKind.FUNCTION) => ({
      role: Role.ASSISTANT,
      content: [{ kind: { case: "toolUse" as const, value: { id, name, arguments: "{}", kind } } }],
    });
    const result = { kind: { case: "toolResult" as const, value: { toolUseId: "c1" } } };
    const said = { role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Hi" } } }] };
    const { input } = flatten({
      messages: [
        said,
        { ...call("c1", "find"), extension: raw({ namespace: "crm", status: "completed" }) },
        { role: Role.TOOL, content: [result], extension: raw({ namespace: "crm", name: "find" }) },
        { role: Role.TOOL, content: [result], extension: raw({ namespace: "erp" }) },
        call("c2", "crm__find"),
      ],
    });
    const names = input.messages.map(({ content: [block] }) => block?.kind.case === "toolUse" && block.kind.value.name);
    // `crm__find` is the name of another tool, which has been called before.
    expect(names).toEqual([false, expect.stringMatching(/^crm__find_[0-9a-f]{8}$/), false, false, "crm__find"]);
    const extensions = input.messages.map(({ extension }) => extension?.json);
    expect(extensions).toEqual([undefined, '{"status":"completed"}', undefined, '{"namespace":"erp"}', undefined]);
  });

  it("keeps the blocks of a conversation the same objects, for reasoning is known by them", () => {
    const thinking = { kind: { case: "thinking" as const, value: { text: "Hm." } } };
    const input = createHubInput({
      tools: [CRM],
      messages: [{ role: Role.ASSISTANT, content: [thinking] }],
    });
    expect(flattenInput(input, { maxLength: 64 })?.input.messages[0]?.content[0]).toBe(input.messages[0]?.content[0]);
  });

  it.each<[string, HubInit["toolChoice"], object]>([
    ["a tool by its name alone", { mode: ToolChoiceMode.NAMED, name: "find" }, { name: "crm__find" }],
    ["a tool without a namespace", { mode: ToolChoiceMode.NAMED, name: "f" }, { name: "f" }],
    ["a tool that two namespaces have", { mode: ToolChoiceMode.NAMED, name: "list" }, { name: "list" }],
    [
      "allowed tools, one by its namespace",
      {
        mode: ToolChoiceMode.REQUIRED,
        allowedNames: ["f", "list"],
        opaque: raw({
          type: "allowed_tools",
          mode: "required",
          tools: [inner("f"), inner("list", { namespace: "erp" })],
        }),
      },
      { mode: ToolChoiceMode.REQUIRED, allowedNames: ["f", "erp__list"] },
    ],
    [
      "all tools of a namespace",
      {
        mode: ToolChoiceMode.OPAQUE,
        opaque: raw({ type: "allowed_tools", mode: "auto", tools: [{ type: "namespace", name: "crm" }] }),
      },
      { mode: ToolChoiceMode.AUTO, allowedNames: ["crm__find", "crm__close", "crm__list"] },
    ],
    [
      "a choice of another form",
      { mode: ToolChoiceMode.OPAQUE, opaque: raw({ type: "web_search" }) },
      { mode: ToolChoiceMode.OPAQUE },
    ],
  ])("names %s in the choice", (_what, toolChoice, expected) => {
    const crm = namespace("crm", [inner("find"), inner("close"), inner("list")]);
    const tools = [plain("f"), crm, namespace("erp", [inner("list"), inner("f")])];
    expect(flatten({ tools, toolChoice }).input.toolChoice).toMatchObject(expected);
  });

  it("reads a long choice of many tools in a time that grows as they do", async () => {
    const choose = (count: number) => {
      const names = Array.from({ length: count }, (_none, index) => `tool_${index}`);
      const references = names.flatMap((name) => [inner(name), { type: "namespace", name: "crm" }]);
      const opaque = raw({ type: "allowed_tools", mode: "auto", tools: references });
      const tools = [
        namespace(
          "crm",
          names.map((name) => inner(name)),
        ),
      ];
      // Each tool is named once by itself, and once with its namespace.
      const { toolChoice } = flatten({ tools, toolChoice: { mode: ToolChoiceMode.OPAQUE, opaque } }).input;
      expect(toolChoice?.allowedNames).toHaveLength(2 * count);
    };
    expect(await growthOf(choose, 409)).toBeLessThanOrEqual(LINEAR);
  });

  it("refuses more tools than a request may have without namespaces", () => {
    const many = Array.from({ length: 4096 }, (_none, index) => inner(`tool_${index}`));
    const input = createHubInput({ tools: [namespace("crm", many)] });
    expect(() => flattenInput(input, { maxLength: 64 })).toThrow("must be 4096 at most");
  });

  it.each<[string, object[], string]>([
    ["a tool that is no object", [[] as object], "tools[0].extension.tools[0]"],
    ["a tool without a name", [{ type: "function" }], "tools[0].extension.tools[0].name"],
    ["parameters that are no object", [inner("f", { parameters: 1 })], "tools[0].extension.tools[0].parameters"],
    ["a strictness that is no boolean", [inner("f", { strict: "yes" })], "tools[0].extension.tools[0].strict"],
    ["two tools of one name", [inner("f"), inner("f")], "tools[0].extension.tools[1]"],
  ])("refuses %s", (_what, tools, param) => {
    const input = createHubInput({ tools: [namespace("crm", tools)] });
    expect(() => flattenInput(input, { maxLength: 64 })).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ param }) }),
    );
  });

  it("gives every tool of a request a name of its own", () => {
    expect(namesOf({ tools: [plain("crm__find"), CRM, opaque({ type: "web_search" })] })).toEqual([
      "crm__find",
      expect.stringMatching(/^crm__find_[0-9a-f]{8}$/),
      "crm__close",
      "opaque",
    ]);
  });

  describe("names that the upstream does not take", () => {
    const DOTTED = "files.read";
    const LONG = "l".repeat(65);
    // The ends are those of `printf '[null,"files.read",0]' | sha256sum` and of the same with the long name.
    const DOTTED_FLAT = "files_read_f5e9626f";
    const LONG_FLAT = `${"l".repeat(55)}_ab559175`;

    it("are written with a hash, in tools, choice, allowed tools and calls", () => {
      const toolUse = { case: "toolUse" as const, value: { id: "c", name: DOTTED, arguments: "{}" } };
      const text = { case: "text" as const, value: { text: "Hm" } };
      const allowed = { type: "allowed_tools", allowed_tools: { tools: [{ function: { name: LONG } }] } };
      const opaque = { dialect: Dialect.CHAT, json: JSON.stringify(allowed) };
      const { input, names } = flatten({
        dialect: Dialect.CHAT,
        tools: [plain(DOTTED), plain(LONG), plain("f")],
        toolChoice: { mode: ToolChoiceMode.AUTO, allowedNames: [LONG, "f"], opaque },
        messages: [{ role: Role.ASSISTANT, content: [{ kind: text }, { kind: toolUse }] }],
      });
      expect(input.tools.map(({ kind }) => kind.value)).toMatchObject([
        { name: DOTTED_FLAT },
        { name: LONG_FLAT },
        { name: "f" },
      ]);
      expect(input.toolChoice?.allowedNames).toEqual([LONG_FLAT, "f"]);
      expect(input.toolChoice?.opaque?.json).toBe(JSON.stringify(allowed).replace(LONG, LONG_FLAT));
      expect(input.messages[0]?.content[1]?.kind.value).toMatchObject({ name: DOTTED_FLAT, arguments: "{}" });
      expect(names.original(DOTTED_FLAT)).toEqual({ namespace: undefined, name: DOTTED });
    });

    it("are told apart from tools that are called so", () => {
      const tools = [plain(DOTTED), plain(DOTTED_FLAT), plain("files_read")];
      const [first, ...others] = namesOf({ tools, toolChoice: { mode: ToolChoiceMode.NAMED, name: DOTTED } });
      expect(others).toEqual([DOTTED_FLAT, "files_read"]);
      expect(first).toMatch(/^files_read_[0-9a-f]{8}$/);
      expect(first).not.toBe(DOTTED_FLAT);
    });

    it("leaves them to callers of a format with namespaces, where the upstream speaks it", () => {
      const rules = { maxLength: 64, hasNamespaces: true };
      const tools = [plain(LONG), CRM];
      expect(flattenInput(createHubInput({ dialect: Dialect.RESPONSES, tools }), rules)).toBeUndefined();
      const { input } = flattenInput(createHubInput({ dialect: Dialect.MESSAGES, tools }), rules) ?? {};
      expect(input?.tools.map(({ kind }) => kind.case)).toEqual(["function", "opaque"]);
      expect(input?.tools[0]?.kind.value).toMatchObject({ name: LONG_FLAT });
    });

    it("leaves an empty name to whoever refuses it", () => {
      expect(flattenInput(createHubInput({ tools: [plain("")] }), { maxLength: 64 })).toBeUndefined();
    });
  });
});
