/**
 * `npm run bench:files`: how many files of `src` run, in the thread that serves, for one warm streamed call of each
 * format until its last byte, and in which rooms they are. A file that does not run for every call is not counted: it
 * does work that is behind the calls.
 */

import { Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { askInFormat } from "../support/ask-in-format.ts";
import { readOptions } from "../support/read-options.ts";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { startTestService, yamlFor } from "../support/service.ts";
import { FRAMES, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";

readOptions("usage: npm run bench:files", {});

const SRC = join(import.meta.dirname, "..", "..", "src");
const MODEL = { chat: "chatty", responses: "responder", messages: "messenger" };
/** Calls after which what is made once has been made. */
const WARM_CALLS = 20;
/** Times before the counted calls: uneven, so that nothing that runs at intervals meets each of them. */
const PAUSES_MS = [1000, 130, 1700, 370, 710, 90, 1310, 530];

const upstream = await startScriptedUpstream();
const service = await startTestService({ yaml: yamlFor(upstream.url) });
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

const runs = new Map<UpstreamKind, readonly string[]>();
for (const format of UPSTREAM_KINDS) {
  upstream.answer({ steps: FRAMES[format].text });
  for (let made = 0; made < WARM_CALLS; made++) await call(format);
  for (const pauseMs of PAUSES_MS) {
    await delay(pauseMs);
    await takeFiles();
    await call(format);
    const ran = new Set(await takeFiles());
    runs.set(
      format,
      (runs.get(format) ?? [...ran]).filter((file) => ran.has(file)),
    );
  }
}

const roomOf = (file: string): string => file.split("/", 1)[0] ?? file;
const countsOf = (isCounted: (file: string) => boolean) =>
  Object.fromEntries([...runs].map(([format, files]) => [format, files.filter(isCounted).length]));
const rooms = [...new Set([...runs.values()].flat().map(roomOf))].sort();
const rows = rooms.map((room) => [room, countsOf((file) => roomOf(file) === room)]);
console.table(Object.fromEntries([...rows, ["all of src", countsOf(() => true)]]));
console.log(JSON.stringify(Object.fromEntries(runs)));
session.disconnect();
await service.close();
await upstream.close();

/** Asks for a stream and reads it to its end. Throws if it is no whole answer. */
async function call(format: UpstreamKind): Promise<void> {
  const { status, text, body } = await askInFormat(service, {
    format,
    model: MODEL[format],
    members: {},
    stream: true,
  });
  if (status !== 200 || text === "") throw new Error(`${format} answered ${status}: ${body}`);
}

/** Resolves to the files of `src` of which a function has run since this was last asked. */
async function takeFiles(): Promise<readonly string[]> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)));
  const files = ran.filter(({ url }) => url.startsWith("file:")).map(({ url }) => relative(SRC, fileURLToPath(url)));
  return files.filter((file) => !file.startsWith("..")).sort();
}
