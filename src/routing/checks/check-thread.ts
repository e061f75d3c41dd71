import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { AnswerWebhook } from "../../catalog/model.ts";
import { TaskThread } from "../../lib/tasks/task-thread.ts";
import type { JsonJudgement, JsonQuestion } from "./judge-json.ts";

/** A text, and what it must be. */
export type TextToJudge = TextBySchema | TextByWebhook;

/** A text that must be JSON. */
export interface TextBySchema extends Pick<JsonQuestion, "root"> {
  readonly text: string;
  readonly schemaJson: string | undefined;
}

/** An answer that a webhook must let pass. */
export interface TextByWebhook {
  readonly webhook: AnswerWebhook;
  /** Makes what the webhook is sent, when its turn has come; undefined where that would be too large. */
  readonly body: () => string | undefined;
}

/**
 * Says of texts whether they are what they must be; undefined where that is not found out. Never rejects. `signal` aborts where nobody wants to
 * know any more.
 */
export type JudgeTexts = (texts: readonly TextToJudge[], signal?: AbortSignal) => Promise<TextJudgements>;

/** What is said of each. */
export type TextJudgements = readonly (TextJudgement | undefined)[];

/** See JsonJudgement. */
export type TextJudgement = Extract<JsonJudgement, "fits" | "invalid" | "mismatch">;

/** Most characters of a schema, of a text, and of all texts of one answer. */
const MAX_SCHEMA_LENGTH = 256 * 1024;
const MAX_TEXT_LENGTH = 2 ** 20;
const MAX_TEXTS_LENGTH = 2 ** 21;
/** How long an answer is kept waiting, with the wait for the thread's turn. */
const LIMIT_MS = 2500;
const MAX_MEMORY_MB = 192;
/** A schema that took too long is left alone for a while: who sends it again and again would keep the thread from all others. */
const AVOIDED = { max: 1000, ttl: 60_000 };

/**
 * Holds texts against schemas in a thread of its own, which begins with the first one. What is too large, takes too long or finds the thread
 * busy is not judged: an answer is never held up or refused for that.
 */
export class CheckThread {
  readonly #thread: TaskThread;
  readonly #avoided = new LRUCache<string, true>(AVOIDED);

  /** `onDeath` is told where the thread dies by itself, as it does for schemas that take too much memory. */
  constructor(onDeath: (error: unknown) => void) {
    this.#thread = new TaskThread({
      module: new URL("./check-worker.ts", import.meta.url),
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
      onDeath,
      createError: (why, options) => new NotJudged(why, options),
    });
  }

  /** Says of texts whether they are JSON that their schemas accept; undefined where that is not found out. Never rejects. */
  readonly judge = async (texts: readonly TextBySchema[]): Promise<TextJudgements> => {
    const questions = questionsOf(texts).map((question) => this.#unlessAvoided(question));
    const asked = questions.filter((question) => question !== undefined);
    const judgements = asked.length === 0 ? [] : await this.#ask(asked);
    const said = judgements.values();
    return questions.map((question) => (question === undefined ? undefined : toTold(said.next().value)));
  };

  /** Ends the thread, if there is one. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  async #ask(questions: readonly JsonQuestion[]): Promise<readonly JsonJudgement[]> {
    try {
      const judged = (await this.#thread.run("judge", [questions], { limitMs: LIMIT_MS })) as readonly JsonJudgement[];
      for (const [at, { schema }] of questions.entries()) if (judged[at] === "slow") this.#avoid(schema);
      return judged;
    } catch (thrown) {
      if (thrown instanceof NotJudged && thrown.cause !== undefined) {
        for (const { schema } of questions) this.#avoid(schema);
      }
      return [];
    }
  }

  #unlessAvoided(question: JsonQuestion | undefined): JsonQuestion | undefined {
    const digest = question?.schema?.digest;
    return digest !== undefined && this.#avoided.has(digest) ? undefined : question;
  }

  #avoid(schema: JsonQuestion["schema"]): void {
    if (schema !== undefined) this.#avoided.set(schema.digest, true);
  }
}

/** The thread has not said anything; with a cause where it has died. */
class NotJudged extends Error {
  override readonly name = "NotJudged";
}

/**
 * Leaves out what is too large. Texts and schemas that come more than once are one object each, and go to the thread once: the calls of a
 * tool have one schema, and the rules of a model one text.
 */
function questionsOf(asked: readonly TextBySchema[]): (JsonQuestion | undefined)[] {
  const texts = new Map<string, JsonQuestion["text"]>();
  const schemas = new Map<string, JsonQuestion["schema"]>();
  let room = MAX_TEXTS_LENGTH;
  return asked.map(({ text: json, schemaJson, root }) => {
    if ((schemaJson?.length ?? 0) > MAX_SCHEMA_LENGTH) return undefined;
    let text = texts.get(json);
    if (text === undefined) {
      if (json.length > Math.min(room, MAX_TEXT_LENGTH)) return undefined;
      room -= json.length;
      text = { json };
      texts.set(json, text);
    }
    if (schemaJson !== undefined && !schemas.has(schemaJson)) {
      schemas.set(schemaJson, { json: schemaJson, digest: hash("sha256", schemaJson) });
    }
    return { text, schema: schemaJson === undefined ? undefined : schemas.get(schemaJson), root };
  });
}

function toTold(judgement: JsonJudgement | undefined): TextJudgement | undefined {
  return judgement === "slow" || judgement === "unusable" ? undefined : judgement;
}
