/** The session of an agent, request by request, as each format says it. */

type Json = Record<string, unknown>;

/** Formats in which agents speak. */
export type AgentFormat = "chat" | "responses" | "messages";

interface Step {
  /** What the user says before it; most steps go on with results alone. */
  readonly said: string | undefined;
  readonly calls: readonly { readonly id: string; readonly path: string; readonly result: string }[];
}

const filler = (seed: string, words: number): string =>
  Array.from({ length: words }, (_none, index) => `${seed}${index % 7}`).join(" ");
const SYSTEM = `You are a careful agent.\n${filler("rule", 1500)}`;
const TOOLS = Array.from({ length: 12 }, (_none, index) => ({
  name: `tool_${index}`,
  description: filler(`does${index}`, 60),
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
}));

/** Steps between requests: one call each, fifteen at once now and then, and sometimes the user says something. */
function stepsOf(turns: number): readonly Step[] {
  return Array.from({ length: turns }, (_none, turn) => {
    const count = turn % 10 === 7 ? 15 : 1;
    return {
      said: turn % 6 === 0 ? filler(`ask${turn}`, 40) : undefined,
      calls: Array.from({ length: count }, (_other, index) => ({
        id: `call_${turn}_${index}`,
        path: `/src/${turn}/${index}.ts`,
        result: filler(`line${turn}_${index}`, 120),
      })),
    };
  });
}

/** Returns the requests of a session, each with all that was said before; `marked`: with marks as agents set them. */
export function agentSession(format: AgentFormat, turns: number, marked = false): Json[] {
  const steps = stepsOf(turns);
  return steps.map((_none, turn) => SAY[format](steps.slice(0, turn), steps[turn]?.said, marked));
}

const SAY: Readonly<Record<AgentFormat, (done: readonly Step[], said: string | undefined, marked: boolean) => Json>> = {
  chat: (done, said) => ({
    messages: [
      { role: "system", content: SYSTEM },
      ...done.flatMap(({ said: asked, calls }) => [
        ...(asked === undefined ? [] : [{ role: "user", content: asked }]),
        {
          role: "assistant",
          content: null,
          tool_calls: calls.map(({ id, path }) => ({
            id,
            type: "function",
            function: { name: "tool_1", arguments: JSON.stringify({ path }) },
          })),
        },
        ...calls.map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: result })),
      ]),
      ...(said === undefined ? [] : [{ role: "user", content: said }]),
    ],
    tools: TOOLS.map(({ name, description, schema }) => ({
      type: "function",
      function: { name, description, parameters: schema },
    })),
  }),
  responses: (done, said) => ({
    instructions: SYSTEM,
    store: false,
    input: [
      ...done.flatMap(({ said: asked, calls }) => [
        ...(asked === undefined ? [] : [{ type: "message", role: "user", content: asked }]),
        ...calls.map(({ id, path }) => ({
          type: "function_call",
          call_id: id,
          name: "tool_1",
          arguments: JSON.stringify({ path }),
        })),
        ...calls.map(({ id, result }) => ({ type: "function_call_output", call_id: id, output: result })),
      ]),
      ...(said === undefined ? [] : [{ type: "message", role: "user", content: said }]),
    ],
    tools: TOOLS.map(({ name, description, schema }) => ({
      type: "function",
      name,
      description,
      parameters: schema,
      strict: false,
    })),
  }),
  messages: (done, said, marked) => {
    const messages: { role: string; content: Json[] }[] = [];
    let waiting: Json[] = [];
    const speak = (words: string | undefined): void => {
      const content = [...waiting, ...(words === undefined ? [] : [{ type: "text", text: words }])];
      messages.push({ role: "user", content });
      waiting = [];
    };
    for (const { said: asked, calls } of done) {
      speak(asked);
      const uses = calls.map(({ id, path }) => ({ type: "tool_use", id, name: "tool_1", input: { path } }));
      messages.push({ role: "assistant", content: uses });
      waiting = calls.map(({ id, result }) => ({ type: "tool_result", tool_use_id: id, content: result }));
    }
    speak(said);
    const mark = marked ? { cache_control: { type: "ephemeral" } } : {};
    const last = messages.at(-1)?.content.at(-1);
    if (last !== undefined) Object.assign(last, mark);
    return {
      max_tokens: 64,
      system: [{ type: "text", text: SYSTEM, ...mark }],
      messages,
      tools: TOOLS.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    };
  },
};
