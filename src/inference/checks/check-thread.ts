import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { AnswerWebhook } from "../../catalog/model.ts";
import { TaskThread, type TaskThreadOptions } from "../../lib/tasks/task-thread.ts";
import type { JsonJudgement, JsonQuestion, JudgedQuestions } from "./schema-judge.ts";

/** The time for which it is remembered, and the number of schemas and projects. */
const TTL_MS = 300_000;
const MAX_SCHEMAS = 10_000;
const MAX_PROJECTS = 1000;

/**
 * Remembers schemas that took too long, by their projects: whoever sends one again and again would keep the thread from
 * all others. Another project's texts may well be judged by the same one.
 */
class SlowSchemas {
  readonly #schemas = new LRUCache<string, true>({ max: MAX_SCHEMAS, ttl: TTL_MS });
  readonly #projects = new LRUCache<string, true>({ max: MAX_PROJECTS, ttl: TTL_MS });

  /** Takes note of what took long; of the project alone where no single schema did. */
  add(projectId: string, questions: readonly Pick<JsonQuestion, "schema">[]): void {
    this.#projects.set(projectId, true);
    for (const { schema } of questions) if (schema !== undefined) this.#schemas.set(getKey(projectId, schema), true);
  }

  /** Tells whether a schema took too long. */
  has(projectId: string, schema: JsonQuestion["schema"]): boolean {
    return schema !== undefined && this.#schemas.has(getKey(projectId, schema));
  }

  /** Tells whether anything of a project took long. */
  areOf(projectId: string): boolean {
    return this.#projects.has(projectId);
  }
}

function getKey(projectId: string, { digest }: NonNullable<JsonQuestion["schema"]>): string {
  return `${projectId} ${digest}`;
}

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
  /** Makes what the webhook is sent, when it is its turn; undefined where that would be too large. */
  readonly body: () => string | undefined;
}

/**
 * Says of texts whether they are what they must be; undefined where that is not found out. Never rejects. `signal`
 * aborts where nobody wants to know any more.
 */
export type JudgeTexts = (texts: readonly TextToJudge[], signal?: AbortSignal) => Promise<TextJudgements>;

/** The same for whoever asks. */
export type JudgeTextsFor = (texts: readonly TextToJudge[], asker: Asker) => Promise<TextJudgements>;

/** The project that has an answer checked. */
export interface Asker {
  readonly projectId: string;
  /** Aborts where nobody wants to know any more. */
  readonly signal?: AbortSignal | undefined;
}

/** The judgement of each text. */
export type TextJudgements = readonly (TextJudgement | undefined)[];

/** See JsonJudgement. */
export type TextJudgement = Extract<JsonJudgement, "fits" | "invalid" | "mismatch">;

/** Most characters of a schema, of a text, and of all texts of one answer. */
const MAX_SCHEMA_LENGTH = 256 * 1024;
const MAX_TEXT_LENGTH = 2 ** 20;
const MAX_TEXTS_LENGTH = 2 ** 21;
/** The time limit of a check, with the wait for the thread. */
const LIMIT_MS = 2500;
const MAX_MEMORY_MB = 192;
/** Answers of one project that wait at a time; others of it are not judged. */
const MAX_WAITING_OF_PROJECT = 16;
/** Time of a processor that all texts of an answer may take before those of its project are judged elsewhere. */
const QUICK_MS = 250;

/**
 * Holds texts against schemas in a thread of its own, which begins with the first one. What is too large, takes too
 * long or finds the thread busy is not judged: an answer is never held up or refused for that. Projects have their
 * turns one after another, and one whose schemas take long waits with others of its kind for a second thread.
 */
export class CheckThread {
  readonly #quick: TaskThread;
  readonly #slow: TaskThread;
  readonly #slowSchemas = new SlowSchemas();

  /** `onDeath` is told where a thread dies by itself, as it does for schemas that take too much memory. */
  constructor(onDeath: (error: unknown) => void) {
    const options: TaskThreadOptions = {
      module: new URL("./check-worker.ts", import.meta.url),
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
      onDeath,
      createError: (why, options) => new NotJudged(why, options),
      maxWaitingOfOwner: MAX_WAITING_OF_PROJECT,
    };
    this.#quick = new TaskThread(options);
    this.#slow = new TaskThread(options);
  }

  /**
   * Says of texts whether they are JSON that their schemas accept; undefined where that is not found out. Never
   * rejects.
   */
  readonly judge = async (
    texts: readonly TextBySchema[],
    { projectId }: Pick<Asker, "projectId">,
  ): Promise<TextJudgements> => {
    const isSlow = (question: JsonQuestion) => this.#slowSchemas.has(projectId, question.schema);
    const questions = getQuestions(texts).map((question) => (question && isSlow(question) ? undefined : question));
    const askable = questions.filter((question) => question !== undefined);
    const judgements = askable.length === 0 ? [] : await this.#ask(askable, projectId);
    const verdicts = judgements.values();
    return questions.map((question) => (question === undefined ? undefined : toVerdict(verdicts.next().value)));
  };

  /** Ends the threads, if there are any. */
  async close(): Promise<void> {
    await Promise.all([this.#quick.close(), this.#slow.close()]);
  }

  async #ask(
    questions: readonly JsonQuestion[],
    projectId: string,
    endMs = performance.now() + LIMIT_MS,
  ): Promise<readonly JsonJudgement[]> {
    const thread = this.#slowSchemas.areOf(projectId) ? this.#slow : this.#quick;
    try {
      const options = { limitMs: endMs - performance.now(), owner: projectId };
      const { judgements, processorMs } = (await thread.run("judge", [questions], options)) as JudgedQuestions;
      const slow = questions.filter((_question, at) => judgements[at] === "slow");
      if (slow.length > 0 || processorMs > QUICK_MS) this.#addSlow(projectId, slow);
      return judgements;
    } catch (thrown) {
      const hasDied = thrown instanceof NotJudged && thrown.cause !== undefined;
      if (hasDied) this.#addSlow(projectId, questions);
      const isMoved = !hasDied && thread === this.#quick && this.#slowSchemas.areOf(projectId);
      return isMoved && performance.now() < endMs ? await this.#ask(questions, projectId, endMs) : [];
    }
  }

  /** Moves the project's waiting answers from the first thread to the second one. */
  #addSlow(projectId: string, questions: readonly JsonQuestion[]): void {
    this.#slowSchemas.add(projectId, questions);
    this.#quick.refuse(projectId, "the schemas of the project take long");
  }
}

/** The thread has not said anything; with a cause where it has died. */
class NotJudged extends Error {
  override readonly name = "NotJudged";
}

/**
 * Leaves out what is too large. Texts and schemas that come more than once are one object each, and go to the thread
 * once: the calls of a tool have one schema, and the rules of a model one text.
 */
function getQuestions(textsBySchema: readonly TextBySchema[]): (JsonQuestion | undefined)[] {
  const texts = new Map<string, JsonQuestion["text"]>();
  const schemas = new Map<string, JsonQuestion["schema"]>();
  let room = MAX_TEXTS_LENGTH;
  return textsBySchema.map(({ text: json, schemaJson, root }) => {
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

function toVerdict(judgement: JsonJudgement | undefined): TextJudgement | undefined {
  return judgement === "slow" || judgement === "unusable" ? undefined : judgement;
}
