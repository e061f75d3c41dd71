import { describe, expect, it } from "vitest";
import { MODEL } from "../../support/sdk-fixture.ts";
import { FRAMES } from "../../support/upstream-frames.ts";
import { CLAUDE_CODE_BODY, CLAUDE_CODE_HEADERS, CLAUDE_CODE_TOOLS } from "./claude-code-body.ts";
import { CODEX_BODY, CODEX_HEADERS } from "./codex-body.ts";
import { SANDBOX, useHardCases } from "./hard-case.ts";

const cases = useHardCases();

interface Sent {
  readonly messages: { readonly role: string; readonly content: unknown }[];
  readonly input: { readonly role: string; readonly content: unknown }[];
  readonly tools: { readonly name?: string; readonly function?: { readonly name: string } }[];
}
const sent = (): Sent => cases().lastBody() as unknown as Sent;

/** Posts as Claude Code does: to ?beta=true, with the key in x-api-key. */
async function postAsClaudeCode(model: string) {
  const { url, key } = cases().service;
  const headers = { ...CLAUDE_CODE_HEADERS, "x-api-key": key, "content-type": "application/json" };
  const body = JSON.stringify({ model, ...CLAUDE_CODE_BODY });
  const response = await fetch(`${url}/v1/messages?beta=true`, { method: "POST", headers, body });
  return {
    status: response.status,
    losses: response.headers.get("attune-translation-loss"),
    text: await response.text(),
  };
}

const LAST_SYSTEM = "The working directory is /srv/project.";

describe("a request of Claude Code", () => {
  it("case 8: begins with a HEAD of the root, which is there", async () => {
    expect((await fetch(cases().service.url, { method: "HEAD" })).status).toBe(200);
  });

  it("case 8: reaches a Messages upstream as it is, nothing lost", async () => {
    cases().script("messages", "thinking");
    const { status, losses, text } = await postAsClaudeCode(MODEL.messages);
    expect(status).toBe(200);
    expect(losses).toBeNull();
    expect(cases().lastBody()).toEqual({ ...CLAUDE_CODE_BODY, model: "real-messenger" });
    expect(cases().upstream.received.at(-1)?.headers["anthropic-beta"]).toBe(CLAUDE_CODE_HEADERS["anthropic-beta"]);
    expect(text).toContain("event: message_stop");
  });

  it("case 8: reaches a Chat upstream, the system message still last", async () => {
    cases().script("chat", "calls");
    const { status, text } = await postAsClaudeCode(MODEL.chat);
    expect(status).toBe(200);
    const { messages, tools } = sent();
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "system"]);
    expect(messages.at(-1)).toEqual({ role: "system", content: LAST_SYSTEM });
    expect(tools.map((tool) => tool.function?.name)).toEqual(CLAUDE_CODE_TOOLS);
    expect(cases().lastBody()).toMatchObject({ reasoning_effort: "high", max_tokens: 32000 });
    expect(text).toContain('"stop_reason":"tool_use"');
  });

  it("case 8: reaches a Responses upstream, the system message still last", async () => {
    cases().script("responses", "thinking");
    const { status, text } = await postAsClaudeCode(MODEL.responses);
    expect(status).toBe(200);
    const { input, tools } = sent();
    expect(input.at(-1)).toEqual({ type: "message", role: "system", content: LAST_SYSTEM });
    expect(tools.map(({ name }) => name)).toEqual(CLAUDE_CODE_TOOLS);
    expect(cases().lastBody()).toMatchObject({ reasoning: { effort: "high" }, max_output_tokens: 32000 });
    expect(text).toContain("event: message_stop");
  });

  it("case 8: is answered by the sandbox with thinking and a call of one of its tools", async () => {
    const { status, text } = await postAsClaudeCode(SANDBOX);
    expect(status).toBe(200);
    expect(text).toContain('"type":"thinking_delta"');
    expect(text).toContain('"type":"tool_use"');
    expect(text).toContain("event: message_stop");
  });
});

const postAsCodex = (model: string) => cases().post("responses", { ...CODEX_BODY, model }, CODEX_HEADERS);
/** The last one stands in a namespace. */
const FUNCTIONS = ["exec_command", "update_plan", "multi_agent__spawn_agent"];

describe("a request of Codex", () => {
  it("case 9: reaches a Responses upstream as it is, nothing lost", async () => {
    cases().script("responses", "calls");
    const { status, headers, text } = await postAsCodex(MODEL.responses);
    expect(status).toBe(200);
    expect(headers.get("attune-translation-loss")).toBeNull();
    const { input, ...rest } = CODEX_BODY;
    expect(cases().lastBody()).toMatchObject({ ...rest, model: "real-responder" });
    const contents = input.map(({ content }) => content[0]?.text);
    expect(JSON.stringify(cases().lastBody()["input"])).toContain(JSON.stringify(contents[0]));
    expect(sent().input.map(({ role }) => role)).toEqual(["developer", "user", "user"]);
    expect(text).toContain("event: response.completed");
  });

  it("case 9: reaches a Chat upstream with its functions; what is left out is named", async () => {
    cases().script("chat", "calls");
    const { status, headers, text } = await postAsCodex(MODEL.chat);
    expect(status).toBe(200);
    expect(sent().messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
    expect(sent().tools.map((tool) => tool.function?.name)).toEqual(FUNCTIONS);
    const losses = headers.get("attune-translation-loss")?.split(", ");
    expect(losses).toEqual(expect.arrayContaining(["tools[3]", "client_metadata"]));
    expect(losses?.filter((loss) => loss.startsWith("tools[2]"))).toEqual([]);
    expect(text).toContain("event: response.completed");
  });

  it("case 9: reaches a Messages upstream with its functions and its web search", async () => {
    cases().script("messages", "calls");
    const { status, headers, text } = await postAsCodex(MODEL.messages);
    expect(status).toBe(200);
    expect(sent().tools.map(({ name }) => name)).toEqual([...FUNCTIONS, "web_search"]);
    expect(JSON.stringify(cases().lastBody())).toContain("Ask before you write.");
    const losses = headers.get("attune-translation-loss")?.split(", ");
    expect(losses).toEqual(expect.arrayContaining(["client_metadata"]));
    expect(losses?.filter((loss) => loss.startsWith("tools[3]"))).toEqual([]);
    expect(losses?.filter((loss) => loss.startsWith("tools[2]"))).toEqual([]);
    expect(text).toContain("event: response.completed");
  });

  it("case 9: is answered by the sandbox with a call of one of its functions", async () => {
    const { status, text } = await postAsCodex(SANDBOX);
    expect(status).toBe(200);
    expect(text).toMatch(/"type":"function_call","call_id":"[^"]+","name":"(exec_command|update_plan)"/);
    expect(text).toContain("event: response.completed");
  });

  it("case 9: goes on with the call's result", async () => {
    const input = [
      ...CODEX_BODY.input,
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "exec_command",
        arguments: '{"cmd":"ls"}',
        status: "completed",
      },
      { type: "function_call_output", call_id: "call_1", output: "README.md" },
    ];
    for (const kind of ["chat", "responses", "messages"] as const) {
      cases().upstream.answer({ steps: FRAMES[kind].text });
      const body = { ...CODEX_BODY, model: MODEL[kind], input };
      const { status, text } = await cases().post("responses", body, CODEX_HEADERS);
      expect(status).toBe(200);
      expect(text).toContain("event: response.completed");
      expect(JSON.stringify(cases().lastBody())).toContain("README.md");
    }
  });
});
