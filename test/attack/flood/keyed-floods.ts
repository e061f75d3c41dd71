import type { Findings } from "../findings.ts";
import { type Kind, problem } from "../judge.ts";
import { startProbe } from "../probe.ts";
import type { AttackedService } from "../service.ts";
import { SEND_FEEDBACK, type SentFeedback, sendInJson } from "./feedback.ts";
import { holdBodies } from "./held-bodies.ts";

/** Most that one iteration of the event loop may take, in processor time. */
const MAX_HELD_MS = 250;
const SENDERS = 4;

/** What the floods with a key work with. */
interface Scene {
  readonly service: AttackedService;
  /** Adds to what was found. */
  readonly add: (what: string, kind: Kind, detail: string) => void;
  readonly say: (line: string) => void;
}

/**
 * Floods a service with right keys, of which the last flood has many of one project; findings are counted under `area`.
 */
export async function floodWithKeys(
  service: AttackedService,
  { area, findings, say }: { readonly area: string; readonly findings: Findings; readonly say: Scene["say"] },
): Promise<void> {
  const add: Scene["add"] = (what, kind, detail) => findings.add({ area, ...problem(kind, detail), what });
  const scene = { service, add, say };
  for (const name of Object.keys(SEND_FEEDBACK)) await floodFeedback(scene, name);
  await crowdFeedback(scene);
  await crowdBodies(scene);
}

/** Sends feedback on unknown ids, from four senders at once. */
async function floodFeedback({ service, add, say }: Scene, protocol: string): Promise<void> {
  const name = `${SENDERS} x 10000 unknown ids over ${protocol}`;
  const send = SEND_FEEDBACK[protocol] ?? sendInJson;
  // The first call of a kind compiles what it needs.
  await send(service, service.key);
  const probe = startProbe(service.port);
  service.stalls.splice(0);
  const begin = performance.now();
  const sent = await Promise.all(Array.from({ length: SENDERS }, () => send(service, service.key)));
  const seconds = (performance.now() - begin) / 1000;
  // What was noticed is told before what is asked for.
  await service.read();
  const heldMs = Math.max(0, ...service.stalls.splice(0).map(({ cpuMs }) => cpuMs));
  const { p99Ms, maxMs } = await probe.read();
  await probe.stop();
  say(
    `  ${name}: ${seconds.toFixed(1)} s, loop held for ${heldMs.toFixed(0)} ms at most, /healthz p99 ${p99Ms.toFixed(0)}, at most ${maxMs.toFixed(0)} ms`,
  );
  if (heldMs > MAX_HELD_MS) add(name, "stall", `the event loop was held for ${heldMs.toFixed(0)} ms`);
  for (const { status, text } of sent) if (status !== 200) add(name, "no answer", `${status} ${text.slice(0, 200)}`);
}

const OF_PROJECT = "the keys of this project together have too many";

/** Has all keys of one project send as much feedback as a call may have; another project is served meanwhile. */
async function crowdFeedback({ service, add, say }: Scene): Promise<void> {
  const name = `${service.manyKeys.length} keys of one project with 10000 unknown ids each`;
  const crowd = Promise.all(service.manyKeys.map((key) => sendInJson(service, key)));
  const other = await sendInJson(service, service.key);
  judgeCrowd({ name, sent: await crowd, other }, { service, add, say });
}

/** Has all keys of one project keep large bodies on their way in; another project is served meanwhile. */
async function crowdBodies(scene: Scene): Promise<void> {
  const { service } = scene;
  const name = `${service.manyKeys.length} keys of one project with 24 MB each on their way in`;
  const held = await holdBodies(service.port, service.manyKeys);
  const other = await sendInJson(service, service.key);
  judgeCrowd({ name, sent: held.answers(), other }, scene);
  held.end();
}

interface Crowd {
  readonly name: string;
  readonly sent: readonly SentFeedback[];
  readonly other: SentFeedback;
}

function judgeCrowd({ name, sent, other }: Crowd, { add, say }: Scene): void {
  const refused = sent.filter(({ status, text }) => status === 429 && text.includes(OF_PROJECT)).length;
  say(`  ${name}: ${refused} refused as too much for the project; another project: ${other.status}`);
  if (refused === 0) add(name, "memory", "the bound of the project refused nothing");
  if (other.status !== 200)
    add(name, "no answer", `another project was answered ${other.status} ${other.text.slice(0, 200)}`);
  for (const { status, text } of sent) if (status >= 500) add(name, "5xx", `${status} ${text.slice(0, 200)}`);
}
