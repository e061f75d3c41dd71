import type { InferenceFacts } from "../../feedback/ports.ts";
import type { Log } from "../types/log.ts";
import { AskBudget } from "./ask-budget.ts";
import { ChoiceBatch } from "./choice-batch.ts";
import { Greeting } from "./greeting.ts";
import type { OwnInferences } from "./local-inferences.ts";
import {
  type Answer,
  type ChosenTuple,
  decodeMessage,
  encodeMessage,
  IDS_PER_QUESTION,
  type KnownInference,
  type Message,
  type Question,
  splitAnswers,
} from "./message.ts";
import type { MessageBus } from "./message-bus.ts";
import { ASK_AGAIN_MS, MOST_FOLLOWED, PEER_TIMES, type PeerTimes } from "./peer-times.ts";
import { Roster } from "./roster.ts";
import { WrittenWaiters } from "./written-waiters.ts";

/** The options of the peer lookup. */
interface PeerLookupOptions {
  readonly bus: MessageBus;
  /** The inferences of this process, which it answers for. */
  readonly own: Pick<OwnInferences, "find" | "written">;
  readonly log: Log;
  /** Hears who answers in sessions, as other processes have decided. */
  readonly onChosen?: (choices: readonly ChosenTuple[]) => void;
  /** Called when a process is gone, or does not answer: what it left may be there to be taken over. */
  readonly onSilent?: () => void;
  readonly times?: Partial<PeerTimes>;
}

/**
 * The certainty of an answer: all others have answered; nobody else is there; someone who may be there has not
 * answered; or others cannot be heard at the moment.
 */
export type Certainty = "sure" | "single" | "unsure" | "disconnected";

/** The findings of the peers. */
interface Findings {
  /** The inferences that others have, by id. */
  readonly known: ReadonlyMap<string, InferenceFacts>;
  readonly certainty: Certainty;
  /** Ids that were too many to be asked for. */
  readonly unasked: readonly string[];
}

/** The interval at which processes announce themselves. */
const HERE_MS = 5000;

interface OpenQuestion {
  readonly known: Map<string, InferenceFacts>;
  readonly wanted: Question;
  /** Processes that have not answered. */
  readonly awaited: Set<string>;
  readonly finish: () => void;
}

/**
 * The other processes on the database. They are asked for inferences that are not in it yet: whoever has one under way,
 * or in its spool, says so at once, and writes it where someone waits for that.
 */
export class PeerLookup {
  readonly #options: PeerLookupOptions;
  readonly #times: PeerTimes;
  readonly #roster = new Roster();
  readonly #budget = new AskBudget();
  readonly #questions = new Map<number, OpenQuestion>();
  readonly #waiters = new WrittenWaiters();
  readonly #telling: NodeJS.Timeout;
  #count = 0;
  #followed = 0;
  #openedAtMs = Number.NEGATIVE_INFINITY;
  readonly #greeting: Greeting;
  readonly #choices: ChoiceBatch;

  constructor(options: PeerLookupOptions) {
    this.#options = options;
    this.#times = { ...PEER_TIMES, ...options.times };
    const { bus } = options;
    this.#greeting = new Greeting(this.#times.greetingMs);
    this.#choices = new ChoiceBatch((choices) => this.#tell({ kind: "chosen", from: bus.name, choices }));
    bus.start({
      onMessage: (text) => this.#hear(text),
      onOpen: () => {
        this.#openedAtMs = performance.now();
        this.#greeting.noteOpen();
        this.#tell({ kind: "hello", from: bus.name });
      },
      onMet: (name) => this.#roster.heard(name),
      onLost: (name) => this.#onLost(name),
    });
    this.#telling = setInterval(() => this.#tell({ kind: "here", from: bus.name }), HERE_MS).unref();
  }

  /** Resolves once the others know of this process, and ask it for what it has; after two seconds at the latest. */
  get opened(): Promise<void> {
    return this.#greeting.opened;
  }

  /**
   * Asks which of these inferences of a project others have. Resolves in a second, whoever does not answer; later where
   * this process has just begun, and the others may not yet have said that they are there.
   */
  async find(ids: readonly string[], projectId: string): Promise<Findings> {
    if (this.#options.bus.state !== "single") await this.#greeting.over;
    if (this.#answering().length === 0) return { known: new Map(), certainty: this.#certainty(), unasked: [] };
    const allowed = this.#budget.take(projectId, ids.length);
    const answers: Promise<OpenQuestion["known"]>[] = [];
    for (let from = 0; from < allowed; from += IDS_PER_QUESTION) {
      const part = ids.slice(from, Math.min(allowed, from + IDS_PER_QUESTION));
      answers.push(this.#ask({ ids: part, projectId, waits: false }));
    }
    const known = new Map((await Promise.all(answers)).flatMap((answer) => [...answer]));
    return { known, certainty: this.#certainty(), unasked: ids.slice(allowed) };
  }

  /**
   * Has the process that has an inference write it, and resolves once it says so; to "late" where it still has it when
   * the time is over, and otherwise as find() does where nobody has it.
   */
  async written(id: string, projectId: string, limitMs: number): Promise<Certainty | "late"> {
    const deadline = performance.now() + limitMs;
    if (this.#options.bus.state !== "single") await this.#greeting.over;
    for (;;) {
      if (this.#answering().length === 0) return this.#certainty();
      if (this.#budget.take(projectId, 1) === 0) return "unsure";
      const waiter = this.#waiters.add(id, Math.min(ASK_AGAIN_MS, Math.max(0, deadline - performance.now())));
      const known = await this.#ask({ ids: [id], projectId, waits: true });
      if (!known.has(id)) {
        waiter.cancel();
        return this.#certainty();
      }
      if (await waiter.isWritten) return "sure";
      if (performance.now() >= deadline) return "late";
    }
  }

  /** Resolves to whether other processes answer calls on the database at the moment, as far as is known. */
  async hasOthers(): Promise<boolean> {
    if (this.#options.bus.state !== "single") await this.#greeting.over;
    return this.#answering().length > 0 || this.#options.bus.state === "closed";
  }

  /** Since when all that others tell was heard, by performance.now(). */
  get heardSinceMs(): number {
    const { state } = this.#options.bus;
    if (state === "single") return Number.NEGATIVE_INFINITY;
    return state === "open" ? this.#openedAtMs : performance.now();
  }

  /** Tells the others who answers in a session. */
  tellChosen(choice: ChosenTuple): void {
    if (this.#options.bus.state === "open") this.#choices.add(choice);
  }

  /** Says goodbye; the bus is closed. */
  async close(): Promise<void> {
    clearInterval(this.#telling);
    this.#greeting.end();
    this.#tell({ kind: "bye", from: this.#options.bus.name });
    for (const { finish } of this.#questions.values()) finish();
    await this.#options.bus.close();
  }

  #answering(): string[] {
    return this.#options.bus.state === "open" ? this.#roster.answering() : [];
  }

  #certainty(): Certainty {
    const { state } = this.#options.bus;
    if (state === "single") return "single";
    if (this.#roster.hasSilent) return "unsure";
    if (state === "closed") return this.#roster.answering().length > 0 ? "unsure" : "disconnected";
    if (performance.now() - this.#openedAtMs < this.#times.greetingMs) return "disconnected";
    return this.#roster.answering().length > 0 ? "sure" : "single";
  }

  async #ask(about: Pick<Question, "ids" | "projectId" | "waits">): Promise<OpenQuestion["known"]> {
    const { bus } = this.#options;
    this.#count += 1;
    const number = this.#count;
    const wanted: Question = { kind: "ask", from: bus.name, number, ...about };
    const known: OpenQuestion["known"] = new Map();
    const awaited = new Set(this.#answering());
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#questions.set(number, { known, wanted, awaited, finish: resolve });
    // What came while this process was busy elsewhere is read first.
    const timer = setTimeout(() => setImmediate(() => this.#giveUp(number)), this.#times.answerMs);
    this.#tell(wanted);
    await promise;
    clearTimeout(timer);
    this.#questions.delete(number);
    return known;
  }

  #giveUp(number: number): void {
    const question = this.#questions.get(number);
    for (const name of question?.awaited ?? []) this.#onSilent(name);
    question?.finish();
  }

  #hear(text: string): void {
    const message = decodeMessage(text);
    if (message?.from === this.#options.bus.name) this.#greeting.noteEcho();
    if (message === undefined || message.from === this.#options.bus.name) return;
    if (message.kind === "bye") this.#onLeft(message.from);
    else this.#roster.heard(message.from);
    if (!("to" in message) || message.to === this.#options.bus.name) this.#react(message);
  }

  #react(message: Message): void {
    switch (message.kind) {
      case "hello":
        this.#tell({ kind: "here", from: this.#options.bus.name }, message.from);
        break;
      case "ask":
        this.#answer(message);
        break;
      case "tell":
        this.#take(message);
        break;
      case "written":
        this.#waiters.wake(message.id);
        break;
      case "chosen":
        this.#options.onChosen?.(message.choices);
        break;
      case "here":
      case "bye":
        break;
    }
  }

  #answer({ from: to, number, ids, projectId, waits }: Question): void {
    const { own, bus } = this.#options;
    const known = ids.flatMap((id): KnownInference[] => {
      const facts = own.find(id);
      return facts?.projectId === projectId ? [[id, facts.model, facts.workload]] : [];
    });
    const parts = splitAnswers(known);
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      this.#tell({ kind: "tell", from: bus.name, to, number, known: part, isLast }, to);
    }
    if (waits) for (const [id] of known) void this.#follow(id, to);
  }

  /** Has an inference written, and tells who waits for it. */
  async #follow(id: string, to: string): Promise<void> {
    if (this.#followed >= MOST_FOLLOWED) return;
    this.#followed += 1;
    const isWritten = await this.#options.own.written(id, ASK_AGAIN_MS);
    this.#followed -= 1;
    if (isWritten) this.#tell({ kind: "written", from: this.#options.bus.name, to, id }, to);
  }

  #take({ from, number, known, isLast }: Answer): void {
    const question = this.#questions.get(number);
    if (question === undefined) return;
    const { ids, projectId } = question.wanted;
    for (const [id, model, workload] of known) {
      if (ids.includes(id)) question.known.set(id, { projectId, model, workload });
    }
    if (isLast) question.awaited.delete(from);
    if (question.awaited.size === 0 || question.known.size === ids.length) question.finish();
  }

  #onSilent(name: string): void {
    if (!this.#roster.silent(name)) return;
    const message = "a process on the same database does not answer: what only it knows cannot be found at the moment";
    this.#options.log.warn({ process: name }, message);
    this.#options.onSilent?.();
  }

  #onLost(name: string): void {
    this.#roster.lost(name);
    this.#stopAwaiting(name);
    this.#options.onSilent?.();
  }

  #onLeft(name: string): void {
    this.#roster.left(name);
    this.#stopAwaiting(name);
  }

  #stopAwaiting(name: string): void {
    for (const { awaited, finish } of this.#questions.values()) {
      if (awaited.delete(name) && awaited.size === 0) finish();
    }
  }

  #tell(message: Message, to?: string): void {
    this.#options.bus.send(encodeMessage(message), to);
  }
}
