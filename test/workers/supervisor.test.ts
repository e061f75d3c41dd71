import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Supervisor } from "../../src/workers/supervisor.ts";
import type { Ending, Worker } from "../../src/workers/worker.ts";

/** A worker that does what a test says. */
class ScriptedWorker implements Worker {
  readonly pid: number;
  readonly isFirst: boolean;
  readonly asked: string[] = [];
  readonly #serving = Promise.withResolvers<boolean>();
  readonly #ended = Promise.withResolvers<Ending>();
  readonly serving = this.#serving.promise;
  readonly ended = this.#ended.promise;

  constructor(pid: number, isFirst: boolean) {
    this.pid = pid;
    this.isFirst = isFirst;
  }

  async serve(): Promise<void> {
    this.#serving.resolve(true);
    await turn();
  }

  async exit(status: number | null, signal: string | null = null): Promise<void> {
    this.#serving.resolve(false);
    this.#ended.resolve({ status, signal });
    await turn();
  }

  leave(): void {
    this.asked.push("leave");
  }

  end(): void {
    this.asked.push("end");
  }

  kill(): void {
    this.asked.push("kill");
  }
}

function supervise(count: number) {
  const workers: ScriptedWorker[] = [];
  const pauses: { readonly ms: number; readonly over: () => Promise<void> }[] = [];
  const told: string[] = [];
  const tell = (_facts: object, text: string): void => void told.push(text);
  const time = { now: 0 };
  const supervisor = new Supervisor({
    count,
    start(isFirst) {
      const worker = new ScriptedWorker(workers.length + 1, isFirst);
      workers.push(worker);
      return worker;
    },
    log: { info: tell, warn: tell, error: tell } as never,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve());
        const over = async (): Promise<void> => {
          resolve();
          await turn();
        };
        pauses.push({ ms, over });
      }),
    now: () => time.now,
  });
  const outcome: { status?: number } = {};
  void supervisor.run().then((status) => {
    outcome.status = status;
  });
  /** The worker of a number, from 1 in the order of their starts. */
  const worker = (number: number): ScriptedWorker => {
    const found = workers[number - 1];
    if (found === undefined) throw new Error(`no worker ${number} was started`);
    return found;
  };
  return { supervisor, workers, worker, pauses, told, time, outcome };
}

async function serving(count: number) {
  const all = supervise(count);
  await all.worker(1).serve();
  for (const worker of all.workers) await worker.serve();
  return all;
}

describe("Supervisor", () => {
  it("starts the others once the first one serves", async () => {
    const { workers, worker } = supervise(3);
    expect(workers.map(({ isFirst }) => isFirst)).toEqual([true]);
    await worker(1).serve();
    expect(workers.map(({ isFirst }) => isFirst)).toEqual([true, false, false]);
  });

  it("ends as the first one does where that cannot start", async () => {
    const { workers, worker, outcome } = supervise(3);
    await worker(1).exit(7);
    expect(outcome.status).toBe(7);
    expect(workers).toHaveLength(1);
  });

  it("replaces a worker that ends, after a pause that doubles while they end young, up to five seconds", async () => {
    const { worker, workers, pauses, told } = await serving(2);
    for (let number = 2; number <= 11; number++) {
      await worker(number).exit(null, "SIGKILL");
      await pauses.at(-1)?.over();
      await worker(number + 1).serve();
    }
    expect(pauses.map(({ ms }) => ms)).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000]);
    expect(workers).toHaveLength(12);
    expect(told).toContain("a worker ended; starting another one");
  });

  it("takes the end of one that has served for long as new", async () => {
    const { worker, pauses, time } = await serving(2);
    await worker(2).exit(1);
    await pauses[0]?.over();
    await worker(3).serve();
    time.now = 5000;
    await worker(3).exit(1);
    expect(pauses.map(({ ms }) => ms)).toEqual([100, 100]);
  });

  it("replaces the first one by one that sets nothing up", async () => {
    const { worker, pauses } = await serving(2);
    await worker(1).exit(1);
    await pauses[0]?.over();
    expect(worker(3).isFirst).toBe(false);
  });

  it("tries again where a later one cannot start", async () => {
    const { worker, workers, pauses } = supervise(2);
    await worker(1).serve();
    await worker(2).exit(1);
    await pauses[0]?.over();
    await worker(3).exit(1);
    expect(pauses.map(({ ms }) => ms)).toEqual([100, 200]);
    await pauses[1]?.over();
    expect(workers).toHaveLength(4);
  });

  it("replaces all, each once its successor serves, and the next once it has left", async () => {
    const { supervisor, workers, worker } = await serving(2);
    const replaced = supervisor.replaceAll();
    await turn();
    expect(workers).toHaveLength(3);
    expect(worker(1).asked).toEqual([]);
    await worker(3).serve();
    expect(worker(1).asked).toEqual(["leave"]);
    expect(workers).toHaveLength(3);
    await worker(1).exit(0);
    expect(worker(2).asked).toEqual([]);
    await worker(4).serve();
    expect(worker(2).asked).toEqual(["leave"]);
    await worker(2).exit(0);
    await replaced;
    expect(workers).toHaveLength(4);
  });

  it("keeps those from before where a successor does not start", async () => {
    const { supervisor, workers, worker, told, pauses } = await serving(2);
    const replaced = supervisor.replaceAll();
    await turn();
    await worker(3).exit(1);
    await replaced;
    expect(told).toContain("a new worker did not start; the old ones keep serving");
    expect([worker(1).asked, worker(2).asked]).toEqual([[], []]);
    expect(workers).toHaveLength(3);
    // They are still looked after.
    await worker(2).exit(1);
    await pauses[0]?.over();
    expect(workers).toHaveLength(4);
  });

  it("replaces all once more where that is asked for meanwhile", async () => {
    const { supervisor, worker } = await serving(1);
    const replaced = supervisor.replaceAll();
    await turn();
    await Promise.all([supervisor.replaceAll(), supervisor.replaceAll()]);
    await worker(2).serve();
    await worker(1).exit(0);
    await worker(3).serve();
    await worker(2).exit(0);
    await replaced;
    expect(worker(3).asked).toEqual([]);
  });

  it("ends all in order, also those that leave, and then itself", async () => {
    const { supervisor, worker, outcome } = await serving(2);
    void supervisor.replaceAll();
    await turn();
    await worker(3).serve();
    supervisor.stop();
    expect([1, 2, 3].map((number) => worker(number).asked.at(-1))).toEqual(["end", "end", "end"]);
    await worker(1).exit(0);
    await worker(2).exit(0);
    expect(outcome.status).toBeUndefined();
    await worker(3).exit(0);
    expect(outcome.status).toBe(0);
  });

  it("starts nothing any more while it ends", async () => {
    const { supervisor, workers, worker, pauses, outcome } = await serving(2);
    await worker(2).exit(1);
    expect(pauses).toHaveLength(1);
    supervisor.stop();
    await worker(1).exit(0);
    expect(outcome.status).toBe(0);
    expect(workers).toHaveLength(2);
  });

  it("ends where it is told to before the first one serves", async () => {
    const { supervisor, worker, outcome } = supervise(2);
    supervisor.stop();
    await worker(1).exit(null, "SIGTERM");
    expect(outcome.status).toBe(0);
  });

  it("kills all at once", async () => {
    const { supervisor, worker, outcome } = await serving(2);
    supervisor.kill();
    expect([worker(1).asked, worker(2).asked]).toEqual([["kill"], ["kill"]]);
    await worker(1).exit(null, "SIGKILL");
    await worker(2).exit(null, "SIGKILL");
    expect(outcome.status).toBe(0);
  });
});
