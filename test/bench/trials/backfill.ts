import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { createAdminKey } from "../../../src/store/admin-keys/admin-key-repository.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { ADMIN_SCOPES } from "../../../src/vocabulary/administrator.ts";
import { type Served, startServed } from "../../chaos/served.ts";
import { type CliFolder, createCliFolder } from "../../support/run-cli.ts";
import { testBundle } from "../../support/tested-program.ts";
import { type Life, reportBackfill } from "./backfill-report.ts";
import { type CountingModels, startCountingModels } from "./counting-models.ts";
import type { World } from "./world.ts";

/** The terms of an improvement over HTTP. */
interface BackfillOptions {
  readonly world: World;
  readonly seed: number;
  /** Calls that are recorded before it. */
  readonly recorded: number;
  /** Its budget. */
  readonly usd: number;
}

const [BASE, BETTER] = ["base", "good"];
const MOST_CALLS = 300;
/** Users who ask at a time, and their pause. */
const USERS = 4;
const PAUSE_MS = 200;
/** The better model serves once it gave so many of the latest answers. */
const [LATEST, SERVED] = [50, 40];
/** Answers that are waited for before a person looks, and pairs that the person judges at most. */
const PATIENCE = 400;
const MOST_LOOKED = 50;
const LIMIT_MS = 600_000;
const KILL_WITHIN_MS = 60_000;
const WORKLOADS = `/v1/admin/projects/${DEFAULT_PROJECT.id}/workloads`;
const IMPROVEMENT = `${WORKLOADS}/${BASE}/improvement`;

/**
 * Records calls of a service in a process of its own, and has it find the better model from these while users go on and
 * the process is killed twice. Prints how long it took, and the bill on record beside the models' own count; the exit
 * status is 1 where they differ, or a user got an answer that was made for the improvement.
 */
export async function playBackfill(options: BackfillOptions): Promise<void> {
  testBundle();
  const models = await startCountingModels(options.world, new SeededRandom(options.seed));
  const folder = createCliFolder();
  writeFileSync(join(folder.path, "attune.yaml"), models.yaml);
  const databaseUrl = `sqlite:${join(folder.path, "attune.db")}`;
  const store = await openStore(databaseUrl);
  try {
    await new Backfill(options, { models, folder, store, databaseUrl }).play();
  } finally {
    await folder.remove();
    await store.close();
    await models.close();
  }
}

interface Parts {
  readonly models: CountingModels;
  readonly folder: CliFolder;
  readonly store: Store;
  readonly databaseUrl: string;
}

interface Improvement {
  readonly state: string;
  readonly spent_usd: number;
  readonly summary: string;
}

/** One improvement, from the recorded calls to its report. */
class Backfill {
  readonly #options: BackfillOptions;
  readonly #parts: Parts;
  readonly #random: SeededRandom;
  readonly #lives: Life[] = [];
  readonly #questions = new Map<string, string>();
  /** The answers of users since it began, and when the better model served. */
  readonly #answers: string[] = [];
  #servedAt: number | undefined;
  #process: Served | undefined;
  #keys = { user: "", admin: "" };
  #thumbs = 0;

  constructor(options: BackfillOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    this.#random = new SeededRandom(options.seed + 1000);
  }

  async play(): Promise<void> {
    const { store, models } = this.#parts;
    const { seed, usd, recorded } = this.#options;
    const settings = { name: "bench", scopes: ADMIN_SCOPES, projectId: undefined, expiresAt: null };
    const { key: admin } = await createAdminKey(store, settings);
    this.#keys = { user: (await createKey(store, { name: "bench" })).key, admin };
    await this.#start();
    await this.#record();
    console.error(`backfill ${seed}: ${recorded} calls recorded, ${this.#thumbs} thumbs`);
    const began = performance.now();
    const limit = AbortSignal.timeout(LIMIT_MS);
    await this.#administer("PATCH", WORKLOADS, { model: BASE, mode: "on" });
    await this.#administer("POST", IMPROVEMENT, { max_usd: usd, max_calls: MOST_CALLS });
    const users = new AbortController();
    const asking = this.#askAsUsers(users.signal);
    try {
      // The first time while the judge is measured, the second while models are asked.
      await this.#killWhen(() => this.#count("grade") > this.#thumbs / 2);
      await this.#killWhen(() => this.#count("trial") > MOST_CALLS / 3);
      const improvement = await this.#untilDone(limit);
      const doneAfter = performance.now() - began;
      const looked = await this.#untilServed(limit);
      users.abort();
      await asking;
      console.log(
        `backfill ${seed}: the better model answers ${seconds((this.#servedAt ?? 0) - began)} after the improvement began, ` +
          `which ended after ${seconds(doneAfter)}: ${improvement.summary}; pairs that a person judged: ${looked}`,
      );
      const faults = await reportBackfill({
        store,
        lives: this.#lives,
        calls: models.calls,
        questions: this.#questions,
        answers: this.#answers,
        spentUsd: improvement.spent_usd,
      });
      for (const fault of faults) console.error(`backfill ${seed}: ${fault}`);
      if (faults.length > 0) process.exitCode = 1;
    } finally {
      users.abort();
      await asking;
    }
  }

  async #start(): Promise<void> {
    const { folder, databaseUrl } = this.#parts;
    this.#process = await startServed(folder, { ATTUNE_DATABASE_URL: databaseUrl });
    this.#lives.push({ killedAt: undefined });
  }

  async #killWhen(isDue: () => boolean): Promise<void> {
    const deadline = performance.now() + KILL_WITHIN_MS;
    while (!isDue()) {
      if (performance.now() > deadline) {
        throw new Error(`it did not get so far: ${JSON.stringify(await this.#improvement())}`);
      }
      // A question to the service might be answered too late.
      await delay(2);
    }
    await this.#process?.kill();
    const life = this.#lives.at(-1);
    if (life !== undefined) life.killedAt = Date.now();
    console.error(`killed after ${this.#count("trial")} requests asked and ${this.#count("grade")} grades`);
    await this.#start();
  }

  #count(counted: "trial" | "grade"): number {
    return this.#parts.models.calls.filter(({ kind }) => kind === counted).length;
  }

  /** Has users ask base; some of them give a thumb. */
  async #record(): Promise<void> {
    const { recorded, world } = this.#options;
    for (let from = 0; from < recorded; from += USERS) {
      const numbers = Array.from({ length: Math.min(USERS, recorded - from) }, (_, at) => from + at);
      await Promise.all(
        numbers.map(async (number) => {
          const { id, text } = await this.#ask(`Question ${number}`);
          const isRight = text.includes("right");
          if (this.#random.uniform() >= world.feedbackOn(isRight)) return;
          this.#thumbs += 1;
          await this.#send("POST", "/v1/feedback", this.#keys.user, [{ id, feedback: { correct: isRight } }]);
        }),
      );
    }
  }

  /** Has users ask until they are stopped, without a thumb; those of a service that is killed get no answer. */
  async #askAsUsers(signal: AbortSignal): Promise<void> {
    for (let number = 0; !signal.aborted; number += USERS) {
      const asked = Array.from({ length: USERS }, (_, at) => this.#ask(`Later question ${number + at}`));
      for (const answer of await Promise.allSettled(asked)) {
        if (answer.status === "fulfilled") this.#answers.push(answer.value.text);
      }
      const better = this.#answers.slice(-LATEST).filter((text) => text.startsWith(BETTER));
      if (better.length >= SERVED) this.#servedAt ??= performance.now();
      await delay(PAUSE_MS);
    }
  }

  async #untilDone(limit: AbortSignal): Promise<Improvement> {
    for (;;) {
      const improvement = await this.#improvement();
      if (improvement.state === "done") return improvement;
      await delay(100, undefined, { signal: limit });
    }
  }

  /** Waits for the better model; a person looks where the grades alone do not have it served. Resolves to the pairs. */
  async #untilServed(limit: AbortSignal): Promise<number> {
    const since = this.#answers.length;
    let looked = 0;
    while (this.#servedAt === undefined) {
      if (this.#answers.length - since > PATIENCE && looked < MOST_LOOKED) {
        await this.#look();
        looked += 1;
      }
      await delay(50, undefined, { signal: limit });
    }
    return looked;
  }

  async #look(): Promise<void> {
    type Pair = Readonly<Record<"id" | "first_answer" | "second_answer", string>>;
    const pair = await this.#administer<Pair>("GET", `${WORKLOADS}/${BASE}/pair`);
    const [first, second] = [pair.first_answer.includes("right"), pair.second_answer.includes("right")];
    const verdict = first ? (second ? "both" : "first") : second ? "second" : "neither";
    await this.#administer("POST", `/v1/admin/projects/${DEFAULT_PROJECT.id}/pairs/${pair.id}`, { verdict });
  }

  async #ask(question: string): Promise<{ readonly id: string; readonly text: string }> {
    type Chat = { readonly choices: readonly { readonly message: { readonly content: string } }[] };
    const messages = [
      { role: "system", content: "Answer the customers of a bookshop, in one sentence." },
      { role: "user", content: question },
    ];
    const body = { model: `attune/${BASE}`, messages };
    const { headers, json } = await this.#send<Chat>("POST", "/v1/chat/completions", this.#keys.user, body);
    const id = headers.get("attune-inference-id") ?? "";
    this.#questions.set(id, question);
    return { id, text: json.choices[0]?.message.content ?? "" };
  }

  #improvement(): Promise<Improvement> {
    return this.#administer<Improvement>("GET", IMPROVEMENT);
  }

  async #administer<T>(method: string, path: string, body?: object): Promise<T> {
    return (await this.#send<T>(method, path, this.#keys.admin, body)).json;
  }

  async #send<T>(method: string, path: string, key: string, body?: object) {
    const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${this.#process?.url}${path}`, init);
    if (response.status !== 200) {
      const log = this.#process?.cli.complained();
      throw new Error(`${path} is answered ${response.status}: ${await response.text()}\n${log}`);
    }
    return { headers: response.headers, json: (await response.json()) as T };
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(0)} s`;
}
