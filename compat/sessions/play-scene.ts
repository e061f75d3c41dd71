import type { Conversation, OfferedTool, Turn } from "./read-conversation.ts";

/** What a model says next: a text, a call, or a search that its server does. */
export type Move =
  | { readonly does: "speak"; readonly text: string; readonly isLong?: boolean }
  | { readonly does: "search" }
  | {
      readonly does: "call";
      readonly id: string;
      readonly tool: OfferedTool;
      readonly input: Readonly<Record<string, unknown>>;
    };

/** What a scene has the model do; each has to come back as a result before the next. */
interface Action {
  /** Tools that can do it, by their names. */
  readonly tools: RegExp;
  /** Members of the call, by every name that a tool may have for them. */
  readonly members: (folder: string, since: string, tool: string) => Readonly<Record<string, unknown>>;
  /** The shell's command where there is no such tool. */
  readonly command?: string;
  /** True for what is left out where there is no such tool. */
  readonly isForCodex?: boolean;
}

const SHELL = /^(?:[Bb]ash|exec_command|exec|run_shell_command|run_commands|shell)$/;

// A mark stands in a result only: a command prints it from pieces.
const shell = (command: string): Action => ({ tools: SHELL, members: () => ({}), command });
const mark = (name: string): string => `echo saw-''${name}`;
const file = (folder: string, name: string): object =>
  Object.fromEntries(["file_path", "filePath", "path", "absolute_path"].map((key) => [key, `${folder}/${name}`]));
const patch = (text: string): string => `apply_patch <<'EOF'\n*** Begin Patch\n${text}\n*** End Patch\nEOF`;

const EDITS: readonly Action[] = [
  {
    tools: /^(?:[Ww]rite|write_file|write_to_file)$/,
    members: (folder) => ({ ...file(folder, "note.txt"), content: "one\n" }),
    command: patch("*** Add File: note.txt\n+one"),
  },
  {
    tools: /^(?:[Rr]ead|read_file)$/,
    members: (folder) => file(folder, "note.txt") as Record<string, unknown>,
    command: "cat note.txt",
  },
  {
    tools: /^(?:[Ee]dit|replace|replace_in_file)$/,
    members: (folder) => ({
      ...file(folder, "note.txt"),
      old_string: "one",
      new_string: "two",
      oldString: "one",
      newString: "two",
      before: "one",
      after: "two",
      edits: [{ oldText: "one", newText: "two" }],
    }),
    command: patch("*** Update File: note.txt\n@@\n-one\n+two"),
  },
  shell(`grep -q two note.txt && ${mark("edited")}`),
];

const SCENES: Readonly<Record<string, readonly Action[]>> = {
  edits: EDITS,
  killed: [shell(mark("first")), shell("touch waiting; sleep 45")],
  long: [shell(mark("old"))],
  after: [shell(mark("after"))],
  // Qwen Code has tools that it hides called by another one.
  mcp: [
    {
      tools: /(?:^|_)lookup$|^tool_call$/,
      members: () => ({ word: "probe", name: "mcp__probe__lookup", arguments: { word: "probe" } }),
    },
  ],
  child: [shell(mark("inner"))],
  subagent: [
    {
      tools: /^(?:Agent|Task|task|agent|spawn_agent|delegate)$/,
      members: (folder, _since, tool) => {
        const prompt = `[[child ${folder}]] Look around.`;
        const named = {
          description: "Looks around",
          task_name: "look_around",
          ...(tool.endsWith("spawn_agent") && { fork_turns: "none" }),
        };
        return {
          prompt,
          message: prompt,
          instructions: prompt,
          ...named,
          subagent_type: tool === "task" ? "general" : "general-purpose",
        };
      },
    },
    // Codex's model waits for what it has sent off; others have nothing to wait for.
    {
      tools: /^wait_agent$/,
      members: (_folder, since) => ({ targets: [/agent_id\W+([0-9a-f-]{36})/.exec(since)?.[1]], timeout_ms: 30_000 }),
      isForCodex: true,
    },
  ],
  look: [
    {
      tools: /^(?:[Rr]ead|read_file|view_image)$/,
      members: (folder) => file(folder, "picture.png") as Record<string, unknown>,
    },
  ],
  picture: [],
  search: [{ tools: /^(?:WebSearch|web_search)$/, members: () => ({ query: "attune" }) }],
};

const SCENE = /\[\[(\w+) ([^\]\s]+)\]\](?![\s\S]*\[\[)/;
const SUMMARY = /summary|summarize|compaction/gi;

/** Chooses what a model says, by the scene that the user's last words name and what has come back since. */
export function playScene({ tools, turns }: Conversation): Move {
  const searches = tools.filter(({ type }) => /^web_search/.test(type));
  const last = turns.findLast(({ isUser, text }) => isUser && text.trim() !== "");
  if (/Perform a web search/.test(last?.text ?? "")) {
    return searches.length > 0 ? { does: "search" } : { does: "speak", text: "There is no tool to search with." };
  }
  const at = turns.findLastIndex(({ isUser, text }) => isUser && SCENE.test(text));
  if (tools.length === 0 || at < 0 || (turns.at(-1)?.isUser === true && isForSummary(last?.text ?? "")))
    return summary(last?.text ?? "");
  const [, name = "", folder = ""] = SCENE.exec(turns[at]?.text ?? "") ?? [];
  // Messages has results and the words behind them in one turn.
  const since = turns
    .slice(at + 1)
    .map(({ json }) => json)
    .join("");
  const done = new Set(Array.from(since.matchAll(/call_s(\d)/g), ([, step]) => Number(step)));
  const actions = (SCENES[name] ?? []).filter(
    ({ isForCodex, tools: names }) => isForCodex !== true || tools.some((tool) => isNamed(tool, names)),
  );
  const action = actions[done.size];
  if (action === undefined) return { does: "speak", text: lastWords(name, turns), isLong: name === "long" };
  const search = name === "search" && searches.length > 0 && !tools.some(({ name }) => name === "WebSearch");
  return search ? { does: "search" } : call(action, { folder, since, step: done.size, tools });
}

/** Agents ask for a summary behind all else that was said; what reports on a task is no such request. */
function isForSummary(text: string): boolean {
  const at = Array.from(text.matchAll(SUMMARY)).at(-1)?.index ?? -1;
  return at > text.lastIndexOf("]]") && !text.includes("<task-notification>");
}

/** Qwen Code takes no summary that an account of its tokens does not show to be the shorter. */
function summary(text: string): Move {
  const isLong = text.includes("state_snapshot");
  return { does: "speak", text: "<state_snapshot><summary>A summary: saw-summary.</summary></state_snapshot>", isLong };
}

/** Where a call is made. */
interface Stage {
  readonly folder: string;
  /** What was sent since the scene's beginning. */
  readonly since: string;
  readonly step: number;
  readonly tools: readonly OfferedTool[];
}

function call({ tools: names, members, command }: Action, { folder, since, step, tools }: Stage): Move {
  const id = `call_s${step}_${crypto.randomUUID().slice(0, 8)}`;
  const tool = tools.find((each) => isNamed(each, names));
  if (tool !== undefined && !isNamed(tool, SHELL))
    return { does: "call", id, tool, input: only(tool, members(folder, since, tool.name)) };
  const runner = tools.find((each) => isNamed(each, SHELL));
  if (command !== undefined && runner !== undefined) {
    const input = { command, cmd: command, commands: [command], description: "Looks", is_background: false };
    if (!runner.name.endsWith("exec")) return { does: "call", id, tool: runner, input: only(runner, input) };
    return {
      does: "call",
      id,
      tool: runner,
      input: { input: `text(await tools.exec_command(${JSON.stringify({ cmd: command })}))` },
    };
  }
  // Codex has its other tools within the code that it runs.
  if (runner?.name.endsWith("exec") === true && names.test("lookup"))
    return {
      does: "call",
      id,
      tool: runner,
      input: { input: `text(JSON.stringify(await tools.mcp__probe__lookup({word: "probe"})))` },
    };
  // Claude Code has to find what it deferred.
  const finder = tools.find(({ name }) => name === "ToolSearch");
  if (finder === undefined)
    return {
      does: "speak",
      text: `There is no tool for ${names.source} in ${tools.map(({ name }) => name).join(", ")}`,
    };
  const query = names.test("WebSearch") ? "select:WebSearch" : "select:mcp__probe__lookup";
  return {
    does: "call",
    id: `call_f_${crypto.randomUUID().slice(0, 8)}`,
    tool: finder,
    input: { query, max_results: 5 },
  };
}

/** Returns whether a tool has such a name, whatever it is called within. */
function isNamed({ namespace = "", name }: OfferedTool, names: RegExp): boolean {
  return [name, `${namespace}__${name}`, name.replace(/^.*__/, "")].some((each) => names.test(each));
}

function only({ members }: OfferedTool, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => members.includes(name)));
}

function lastWords(name: string, turns: readonly Turn[]): string {
  const sent = turns.map(({ json }) => json).join("");
  if (name === "child") return "saw-child";
  const seen = new Set(Array.from(sent.matchAll(/saw-([a-z]+)/g), ([, word]) => word));
  if (/iVBORw0KGgo|"\/9j\/|base64,\/9j\//.test(sent)) seen.add("picture");
  return `seen(${[...seen].join(",")})`;
}
