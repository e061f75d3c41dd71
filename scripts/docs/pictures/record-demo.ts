import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WriteStream } from "node:tty";
import type { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { Course } from "../../demo/course.ts";
import { Customers } from "../../demo/customers.ts";
import { createScreen } from "../../demo/screen.ts";
import type { ScriptedModels } from "../../demo/scripted-models.ts";
import { PICTURES } from "./camera.ts";
import { drawRecording, type Frame } from "./terminal.ts";

interface Options {
  readonly service: { readonly url: string };
  readonly key: string;
  readonly models: ScriptedModels;
  readonly random: SeededRandom;
}

const [CALLS, SECONDS, CONCURRENT_QUESTIONS, FEEDBACK] = [3000, 60, 16, 0.05];
/** The recording shows a minute in this time, in as many frames. */
const [SHOWN_MS, FRAMES] = [9000, 30];
const COMMAND = "$ npm run demo";

/** Plays the demonstration as `npm run demo` does, and draws what its terminal shows. */
export async function recordDemo({ service, key, models, random }: Options): Promise<void> {
  const course = new Course(models);
  const written: string[] = [];
  const terminal = { isTTY: true, write: (text: string) => written.push(text) } as unknown as WriteStream;
  const screen = createScreen(terminal, course, { calls: CALLS, dashboard: "http://localhost:8080/dashboard" });
  const customers = new Customers({ url: service.url, key, course, random, feedback: FEEDBACK });
  const { signal } = new AbortController();
  await customers.ask({
    calls: CALLS,
    seconds: SECONDS,
    concurrency: CONCURRENT_QUESTIONS,
    signal,
    onAnswer: screen.draw,
  });
  screen.end();
  writeFileSync(join(PICTURES, "demo.svg"), drawRecording(framesOf(written), "npm run demo, a minute in ten seconds"));
}

/** Spreads pictures of the terminal evenly over the time of the recording; the first has the command alone. */
function framesOf(written: readonly string[]): Frame[] {
  const frames = Array.from({ length: FRAMES }, (_, at) => {
    const text = written[Math.round((at * (written.length - 1)) / (FRAMES - 1))] ?? "";
    return { atMs: 800 + (at * SHOWN_MS) / FRAMES, lines: [COMMAND, "", ...text.trimEnd().split("\n")] };
  });
  return [{ atMs: 0, lines: [COMMAND] }, ...frames];
}
