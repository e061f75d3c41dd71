import type { SdkFixture } from "../support/sdk-fixture.ts";
import type { UpstreamKind } from "../support/upstream-frames.ts";

/** A call of a tool, as an agent sees it. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** What an agent takes from an answer. */
export interface Turn {
  readonly text: string;
  readonly calls: readonly Call[];
}

/** The conversation that an agent leads: it keeps the history, and sends all of it every time. */
export interface Conversation {
  /** The user says something. */
  say(text: string): void;
  /** Asks for the next answer, and adds it to the history. Rejects with what the SDK throws. */
  ask(): Promise<Turn>;
  /** Adds the results of calls. */
  answer(results: readonly { readonly call: Call; readonly output: string }[]): void;
  /** Asks, and leaves as soon as a word has come; the history has what came, as the agent keeps it. */
  interrupt(): Promise<void>;
  /** Whether an error says that the prompt is too long, by what the agent goes by. */
  isOverflow(error: unknown): boolean;
  /** Begins again with a summary of what was said. */
  compact(summary: string): void;
}

/** Where a conversation is led. */
export interface Place {
  readonly fixture: SdkFixture;
  readonly kind: UpstreamKind;
  /** Takes the headers of every answer. */
  readonly onAnswer: (headers: Headers) => void;
}

/** An agent: how it asks, and what it says that an upstream of each kind cannot be told. */
export interface Agent {
  readonly name: string;
  readonly begin: (place: Place) => Conversation;
  /** Whether it gives the model tools; otherwise it reads orders from the text. */
  readonly hasTools: boolean;
  /** What stands before every conversation, in pieces that reach the model as they are. */
  readonly instructions: readonly string[];
  /** Session and end user that its requests are recorded with; nothing where it names none. */
  readonly facts?: { readonly sessionId: string; readonly sessionSource: string; readonly endUserId?: string };
  /** Losses that it is told of, by the kind of upstream: places in its own format. */
  readonly losses: Record<UpstreamKind, readonly string[]>;
}

/** A fetch that hands the headers of every answer on. */
export function watchedFetch({ onAnswer }: Place): typeof fetch {
  return async (...request) => {
    const response = await fetch(...request);
    onAnswer(response.headers);
    return response;
  };
}
