import type { Schema } from "../formats/shared/schema.ts";
import type { AnswerHeader, RequestHeader } from "./headers.ts";

/** An example of a request. */
export interface Example {
  /** Parameters by their names; those that a link fills are absent. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A parameter of the path or of the query. */
export interface Parameter {
  readonly description: string;
  readonly schema: Schema;
  /** False for a list whose items stand in one text, with commas between them. */
  readonly explode?: false;
}

/** An answer of one media type. */
export interface Content {
  readonly schema: Schema;
  readonly example: unknown;
  /** Schema of an event, of a stream. */
  readonly event?: Schema;
}

/** An operation that one can go on with: its parameters are taken from the answer, or from the request. */
export interface Link {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The envelope of the failures of an operation. */
type Envelope = "OpenAiError" | "MessagesError";

/** An operation of the HTTP API: it is declared beside the schemas that its route is checked by. */
export interface Operation {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** Path with parameters in braces: `/v1/responses/{id}`. */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: {
    readonly path?: Readonly<Record<string, Parameter>>;
    readonly query?: Readonly<Record<string, Parameter>>;
  };
  readonly headers?: readonly RequestHeader[];
  readonly body?: { readonly schema: Schema; readonly isOptional?: boolean };
  /** Requests, by their names. */
  readonly examples: Readonly<Record<string, Example>>;
  readonly answer: {
    readonly description: string;
    readonly headers?: readonly AnswerHeader[];
    /** By media type. */
    readonly content: Readonly<Record<string, Content>>;
    readonly links?: Readonly<Record<string, Link>>;
  };
  /** The envelopes that failures may have. */
  readonly envelopes: readonly Envelope[];
  /** The kind of key that callers send; an API key if absent. */
  readonly key?: "none" | "admin";
}

/** The parts of an API that are documented together: its operations, and the schemas that they refer to. */
export interface ApiPart {
  readonly tag: { readonly name: string; readonly description: string };
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}
