import {
  type Annotations,
  type ContentBlock,
  Dialect,
  type Logprobs,
  type RawJson,
  ToolKind,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { type Finished, FinishReason, type InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import { shortPlaces } from "../../hub/places.ts";
import { lostOfSearch } from "../../hub/web-search/read-search.ts";
import { isObject } from "../../lib/is-object.ts";
import { foreignMembers } from "../history/foreign-members.ts";

/** Deltas of unknown Messages blocks whose content the block itself has when it is whole. */
const GATHERED: ReadonlySet<unknown> = new Set(["input_json_delta", "compaction_delta"]);

/** Kinds of events that are named: an upstream may make up as many as it likes. */
const MOST_EVENTS = 1000;

/** The caller's format and form of answer. */
interface AnswerForm {
  readonly input: Pick<HubInput, "dialect" | "stopSequences">;
  readonly streamed: boolean;
}

/** Finds what an answer says and the caller's format cannot. Nothing is done for it until the answer ends. */
export class AnswerLosses {
  readonly #caller: Dialect;
  readonly #form: AnswerForm;
  /** Of events that only one dialect knows. */
  #ofEvents: Set<string> | undefined;

  constructor(form: AnswerForm) {
    this.#caller = form.input.dialect;
    this.#form = form;
  }

  /**
   * Takes note of an event that only one dialect knows; a whole answer has no events, but it has what they add to
   * blocks.
   */
  noteEvent({ dialect, json }: RawJson): void {
    const isCarried = this.#form.streamed && this.#carries(dialect);
    if (isCarried) return;
    const event = JSON.parse(json) as { type?: unknown; index?: unknown; delta?: { type?: unknown } };
    const { type, index, delta } = event;
    if (type === "content_block_delta") {
      if (!GATHERED.has(delta?.type)) this.#note(`answer.content[${String(index)}].${getKind(delta ?? {})}`);
      return;
    }
    // An item that only Responses knows tells its progress first; it follows whole.
    if (this.#form.streamed && !("output_index" in event)) this.#note(`answer.${String(type)}`);
  }

  /** Lists the losses of an answer that has ended, each once: `answer.content[0].citations`. */
  list(content: readonly ContentBlock[], finished: Finished): string[] {
    const losses: string[] = [];
    if (this.#caller !== Dialect.UNSPECIFIED) {
      for (const [index, block] of content.entries()) {
        // Nearly every block is a text and nothing else.
        if (isPlain(block)) continue;
        for (const loss of this.#ofBlock(block, `answer.content[${index}]`)) losses.push(loss);
      }
      const hasCalls = content.some(({ kind }) => kind.case === "toolUse");
      this.#addEnd(finished, { losses, hasCalls });
    }
    if (losses.length < 2 && this.#ofEvents === undefined) return shortPlaces(losses);
    return shortPlaces([...new Set([...losses, ...(this.#ofEvents ?? [])])]);
  }

  #note(place: string): void {
    this.#ofEvents ??= new Set();
    if (this.#ofEvents.size < MOST_EVENTS) this.#ofEvents.add(place);
  }

  #carries(dialect: Dialect): boolean {
    return this.#caller === dialect || this.#caller === Dialect.UNSPECIFIED;
  }

  #ofBlock({ kind, extension, itemExtension, logprobs, annotations }: ContentBlock, place: string): string[] {
    const losses = [extension, itemExtension].flatMap((raw) => this.#ofMembers(raw, place));
    for (const loss of this.#ofTokens(kind, logprobs, place)) losses.push(loss);
    for (const loss of this.#ofAnnotations(annotations, place)) losses.push(loss);
    switch (kind.case) {
      case "opaque": {
        if (this.#carries(kind.value.dialect)) return losses;
        return (lostOfSearch(kind.value, this.#caller) ?? [getKind(JSON.parse(kind.value.json))]).map(
          (name) => `${place}.${name}`,
        );
      }
      case "toolUse":
        return this.#carriesInput(kind.value) ? losses : [...losses, `${place}.input`];
      case "thinking": {
        const { text, summary, opaque } = kind.value;
        const hasBoth = text !== "" && summary.some((part) => part !== "");
        // Chat has the summary beside the raw text only where it has the sealed form of both.
        const hasPlace = this.#caller === Dialect.RESPONSES || (this.#caller === Dialect.CHAT && opaque !== undefined);
        return hasBoth && !hasPlace ? [...losses, `${place}.summary`] : losses;
      }
      default:
        return losses;
    }
  }

  /** Chat has those of everything that is said, Responses those of texts. */
  #ofTokens(kind: ContentBlock["kind"], logprobs: Logprobs | undefined, place: string): Iterable<string> {
    if (logprobs === undefined) return [];
    const hasPlace = this.#caller === Dialect.CHAT || (this.#caller === Dialect.RESPONSES && kind.case === "text");
    if (!hasPlace) return [`${place}.logprobs`];
    const losses = new Set<string>();
    for (const token of logprobs.tokens) {
      for (const { extension } of [token, ...token.topLogprobs])
        for (const loss of this.#ofMembers(extension, `${place}.logprobs`)) losses.add(loss);
    }
    return losses;
  }

  /** An annotation of another type is one that only its own format has. */
  #ofAnnotations(annotations: Annotations | undefined, place: string): Iterable<string> {
    if (annotations === undefined) return [];
    const losses = new Set<string>();
    for (const { kind } of annotations.annotations) {
      const raw = kind.case === "urlCitation" ? kind.value.extension : kind.value;
      const isWhole = kind.case !== "urlCitation" && raw !== undefined && !this.#carries(raw.dialect);
      // Messages has what its own provider wrote.
      const isElsewhere = this.#caller === Dialect.MESSAGES && raw?.dialect !== Dialect.MESSAGES;
      if (isElsewhere || isWhole) losses.add(`${place}.annotations`);
      else for (const loss of this.#ofMembers(raw, `${place}.annotations`)) losses.add(loss);
    }
    return losses;
  }

  /** A Messages answer has an object for an input; in a stream it has the text, if that begins as an object does. */
  #carriesInput({ arguments: text, kind }: { readonly arguments: string; readonly kind: ToolKind }): boolean {
    if (this.#caller !== Dialect.MESSAGES || text.trim() === "") return true;
    if (kind === ToolKind.CUSTOM) return false;
    return this.#form.streamed ? text.trimStart().startsWith("{") : isObjectText(text);
  }

  #addEnd(
    { reason, rawReason, stopSequence, extension, usage }: Finished,
    { losses, hasCalls }: { readonly losses: string[]; readonly hasCalls: boolean },
  ): void {
    // Servers of the Chat format tell the stop sequence there, which is carried by itself.
    const ofAnswer = this.#ofMembers(extension, "answer").filter((place) => place !== "answer.choices[0].stop_reason");
    for (const loss of ofAnswer) losses.push(loss);
    for (const loss of this.#ofMembers(usage?.extension, "answer.usage")) if (!SAID.has(loss)) losses.push(loss);
    if (this.#caller === Dialect.MESSAGES) return;
    // The other formats have it in one number with what is kept for five minutes, which costs less.
    if (usage !== undefined && usage.cacheWrite1hTokens > 0) {
      losses.push("answer.usage.cache_creation.ephemeral_1h_input_tokens");
    }
    const isOwn = extension?.dialect === this.#caller;
    // Which one it was is known where only one was asked for.
    if (stopSequence !== undefined && this.#form.input.stopSequences.length > 1 && !isOwn) {
      losses.push("answer.stop_sequence");
    }
    // A reason that the hub does not know is as a rule among the members that only the upstream's format knows.
    const isUnknown = reason === FinishReason.UNSPECIFIED && rawReason !== "" && extension === undefined;
    // Responses carries each word, except beside calls, which make an answer complete.
    const hasPlace = this.#caller === Dialect.RESPONSES && !hasCalls;
    const isPaused = reason === FinishReason.PAUSE && this.#caller === Dialect.CHAT;
    if ((isUnknown && !hasPlace) || isPaused) losses.push("answer.finish_reason");
  }

  #ofMembers(raw: RawJson | undefined, path: string): string[] {
    return raw === undefined || this.#carries(raw.dialect) ? [] : foreignMembers(raw, path);
  }
}

function isPlain({ kind, extension, itemExtension, logprobs, annotations }: ContentBlock): boolean {
  if (kind.case !== "text" || logprobs !== undefined || annotations !== undefined) return false;
  return extension === undefined && itemExtension === undefined;
}

/** Names of Chat servers for what a cache held or took up, which every format says by its own. */
const SAID: ReadonlySet<string> = new Set(
  [
    ...["cached_tokens", "prompt_cache_hit_tokens", "prompt_cache_miss_tokens", "cache_read_input_tokens"],
    ...["cache_creation_input_tokens", "prompt_tokens_details.cache_creation_tokens"],
  ].map((name) => `answer.usage.${name}`),
);

/** A block without a type is of the kind that its first member is named after, as at Amazon Bedrock. */
function getKind(block: { readonly type?: unknown }): string {
  return typeof block.type === "string" ? block.type : (Object.keys(block)[0] ?? "block");
}

function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Checks that a request in strict mode loses nothing on its way to `upstream`. Throws TRANSLATION_LOSS. */
export function checkStrict(input: InferenceInput, losses: readonly string[], upstream: string): void {
  if (!input.strict || losses.length === 0) return;
  throw InferenceError.lossy(losses, upstream);
}
