/**
 * A thread that asks for GET /healthz again and again and measures how long each answer takes: whatever else this
 * process does at the time, its own loop is free. Answers `read` with the times since the last `read`.
 */
import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const PAUSE_MS = 5;
/** A question that took so long counts as that long, and is not waited for. */
const LIMIT_MS = 10_000;

const { port } = workerData as { readonly port: number };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let timesMs: number[] = [];

parentPort?.on("message", () => {
  parentPort?.postMessage(timesMs);
  timesMs = [];
});

function ask(): void {
  const begin = performance.now();
  const done = (): void => {
    timesMs.push(performance.now() - begin);
    setTimeout(ask, PAUSE_MS);
  };
  const request = get({ host: "127.0.0.1", port, path: "/healthz", agent, timeout: LIMIT_MS }, (response) => {
    response.resume().once("end", done);
  });
  request.once("timeout", () => request.destroy(new Error("late")));
  request.once("error", done);
}

ask();
