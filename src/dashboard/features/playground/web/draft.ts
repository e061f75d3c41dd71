/** Public formats. */
export type FormatName = "chat" | "responses" | "messages";

/** One message of a conversation. */
export interface Turn {
  /** Tells turns apart while they are edited. */
  readonly key: number;
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** All that someone set up for a call; empty texts were not set. */
export interface Draft {
  readonly model: string;
  readonly format: FormatName;
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly streams: boolean;
  readonly maxTokens: string;
  readonly temperature: string;
  readonly effort: string;
  readonly workload: string;
  /** JSON: an array of functions with name, description and parameters. */
  readonly tools: string;
  /** JSON: a schema that the answer has to follow. */
  readonly schema: string;
}

/** Returns what the page begins with. */
export function newDraft(model: string): Draft {
  return {
    model,
    format: "chat",
    system: "",
    streams: true,
    maxTokens: "1024",
    temperature: "",
    effort: "",
    turns: [{ key: 0, role: "user", text: "" }],
    workload: "playground",
    tools: "",
    schema: "",
  };
}

/** Returns the turns with one more behind them. */
export function addTurn(turns: readonly Turn[], turn: Omit<Turn, "key">): readonly Turn[] {
  return [...turns, { ...turn, key: 1 + Math.max(-1, ...turns.map(({ key }) => key)) }];
}
