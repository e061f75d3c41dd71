/** A piece of an answer. */
export interface AnswerPart {
  /** Tells the pieces of one answer apart. */
  readonly key: string;
  readonly kind: "thinking" | "text" | "refusal" | "tool";
  /** Of a tool its name. */
  readonly name: string;
  /** Of a tool the arguments, as JSON text. */
  readonly text: string;
}

/** Tokens that were counted. */
export interface TokenUsage {
  /** The whole prompt, also what a cache held. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** With those of the reasoning. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** An answer, as far as it has come. */
export interface Answer {
  /** Id of the inference; empty until it is earlier. */
  readonly id: string;
  readonly parts: readonly AnswerPart[];
  readonly usage: TokenUsage | undefined;
  /** Why it ended, in the word of the format; empty until then. */
  readonly finish: string;
  /** The failure. */
  readonly error: string;
}

/** An answer of which nothing has come. */
export const NO_ANSWER: Answer = { id: "", parts: [], usage: undefined, finish: "", error: "" };

/** Reads the answers of one format. */
export interface AnswerReader {
  /** Reads a whole answer. */
  whole(body: unknown): Answer;
  /** Adds what an event of a stream says. */
  event(answer: Answer, data: unknown): Answer;
}

/** Adds text to a piece, which begins with it if it is new. */
export function append(answer: Answer, piece: Omit<AnswerPart, "name"> & { readonly name?: string }): Answer {
  const { key, kind, text, name = "" } = piece;
  const earlier = answer.parts.find((part) => part.key === key);
  if (earlier === undefined) return { ...answer, parts: [...answer.parts, { key, kind, text, name }] };
  const longer = { ...earlier, name: earlier.name || name, text: earlier.text + text };
  return { ...answer, parts: answer.parts.map((part) => (part === earlier ? longer : part)) };
}

/** Returns what the model said in words. */
export function spokenText({ parts }: Answer): string {
  return parts
    .filter(({ kind }) => kind === "text" || kind === "refusal")
    .map(({ text }) => text)
    .join("\n\n");
}
