import type { Message } from "@bufbuild/protobuf";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";

/** A format that upstreams speak. A further one is a further column of FIELDS. */
export type Format = "chat" | "responses" | "messages";

/** An upstream's side of a request: its format, or the sandbox, which reads the hub's own message. */
export type Target = Format | "sandbox";

/** Formats, as the hub's messages name them. */
export const DIALECT_OF: Readonly<Record<Format, Dialect>> = {
  chat: Dialect.CHAT,
  responses: Dialect.RESPONSES,
  messages: Dialect.MESSAGES,
};

/** A codec carries it, as the member that has the hub's name. */
export const SAME = Symbol("same");

/** A codec carries it by other means than a member of its own. */
export const CODEC = Symbol("codec");

/** The format has no place for it: what is set is a loss, which nobody has to report. */
export const LOSS = Symbol("loss");

/** It is Attune's own: an upstream is not to know it, or has no use for it. */
export const OWN = Symbol("own");

/** Test answers do not depend on it: how a model samples, what a picture shows, hints for caches, names of callers. */
export const NO_EFFECT = Symbol("no effect");

/** A number, a text or a switch of the request that goes as it is, which takes no codec. */
interface AsItIs {
  /** Name of the member; the hub's if absent. */
  readonly member?: string;
  /** Least and greatest number that callers of the format may send. */
  readonly min?: number;
  readonly max?: number;
}

/**
 * The fate of a field in a format. A text is the name of the member as which a codec carries it: below the request, or
 * below the block or the tool that it belongs to.
 */
export type Fate = string | AsItIs | typeof SAME | typeof CODEC | typeof LOSS | typeof OWN;

/** The fate of a field at the sandbox, which has no names of its own: CODEC is a field that it reads. */
type SandboxFate = typeof CODEC | typeof LOSS | typeof OWN | typeof NO_EFFECT;

/** The fate of a field in every format. */
type FormatRow = Readonly<Record<Format, Fate>>;

/** A field of the hub. */
export interface FieldRow extends FormatRow {
  readonly sandbox: SandboxFate;
  /** The header that it comes in, of every format. */
  readonly header?: string;
  /** True if its text says nothing of what was talked about, so that it stays where texts are redacted. */
  readonly survivesRedaction?: true;
  /** True if it bears on the answer alone: a count of the prompt's tokens leaves it out. */
  readonly isOfAnswer?: true;
  /** Its name on the page of a request, for what is asked for beside messages and tools. */
  readonly label?: string;
  /** Its description in the OpenAPI document, which takes the schema of what goes as it is from here. */
  readonly description?: string;
}

/** Names of a message's fields, those of its oneofs' cases among them. */
type FieldName<Shape> = {
  [Name in keyof Shape]-?: Name extends `$${string}`
    ? never
    : NonNullable<Shape[Name]> extends { readonly case: infer Case }
      ? Extract<Case, string>
      : Extract<Name, string>;
}[keyof Shape];

/** Rows of all fields of a message: one that is missing, or one too many, does not compile. */
export type Rows<Shape extends Message> = { readonly [Name in FieldName<Shape>]: FieldRow };

/** Returns the fates of a field that is the same in every format. */
export const inAll = (fate: Fate): FormatRow => ({ chat: fate, responses: fate, messages: fate });

/** Returns the fates of a field that is the same in OpenAI's two formats. */
export const inOpenAi = (fate: Fate, messages: Fate): FormatRow => ({ chat: fate, responses: fate, messages });

export const MEMBER: FieldRow = { ...inAll(SAME), sandbox: CODEC };
export const CODED: FieldRow = { ...inAll(CODEC), sandbox: CODEC };
export const INTERNAL: FieldRow = { ...inAll(OWN), sandbox: OWN };

/** Marks a text that says nothing of what was talked about. */
export const unredacted = (row: FieldRow): FieldRow => ({ ...row, survivesRedaction: true });
