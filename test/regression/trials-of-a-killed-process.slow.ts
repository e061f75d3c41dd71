import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { readWorkload } from "../../src/store/learning/workload-reads.ts";
import type { Store } from "../../src/store/types/store.ts";
import { untilServing } from "../support/banner.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";

const KEY = "a-bootstrap-key-of-this-test";
const HEADERS = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
const KILLS = 3;

const yamlOf = (url: string): string => `
bootstrapKey: ${KEY}
server: { port: 0 }
learning: { unit: request, shadow: { share: 1, judge: judge, usdPerDay: 1000 } }
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: "sk-upstream-chat-secret" }
models:${["base", "good", "judge"]
  .map(
    (name) => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 4096
    price: { input: 1, output: 5 }
    deployments: [ { upstream: chat, model: ${name} } ]`,
  )
  .join("")}
`;

/** Models that all say the same, which the judge finds good. */
function say(body: string) {
  const { model } = JSON.parse(body) as { model: string };
  const content = model === "judge" ? '{"satisfactory": true, "reason": "Why not."}' : "An answer.";
  const answer = {
    ...{ id: "chatcmpl-1", object: "chat.completion", created: 1_700_000_000, model },
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  };
  return { whole: wholeAnswer(JSON.stringify(answer)), streamed: wholeAnswer("") };
}

describe("trials of a process that is killed", () => {
  let folder: CliFolder;
  let upstream: ScriptedUpstream;
  let store: Store;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    upstream.answerBy((_, body) => say(body));
    folder = createCliFolder();
    writeFileSync(join(folder.path, "attune.yaml"), yamlOf(upstream.url));
    store = await openStore(`sqlite:${join(folder.path, "data", "attune.db")}`);
  });
  afterAll(async () => {
    await folder.remove();
    await store.close();
    await upstream.close();
  });

  const recorded = () => store.query().selectFrom("ShadowTrial").selectAll().execute();

  /** Calls, with feedback of either kind, until a condition holds or the process is gone. */
  async function callUntil(url: string, isOver: () => boolean): Promise<void> {
    const post = async (path: string, body: object) => {
      const response = await fetch(`${url}${path}`, { method: "POST", headers: HEADERS, body: JSON.stringify(body) });
      return (await response.json()) as { id: string };
    };
    for (let count = 0; !isOver(); count++) {
      const messages = [{ role: "user", content: `Question ${count}` }];
      try {
        const { id } = await post("/v1/chat/completions", { model: "attune/base", messages });
        await post("/v1/feedback", [{ id, feedback: { correct: count % 2 === 0 } }]);
      } catch {
        return;
      }
    }
  }

  /** The grades that are on record, and those that were learned, of trials and of checks. */
  async function counts() {
    const rows = await recorded();
    const gradesOf = (kind: string) =>
      rows
        .flatMap((row) => (row.kind === kind ? [row.servedGood, row.trialGood] : []))
        .filter((grade) => grade !== null);
    const [{ projectId } = { projectId: "" }] = rows;
    const policy = (await readWorkload(store, { projectId, model: "base" }))?.learned?.policy;
    const learned = policy?.byFamilyAndArm["gradeCounts"]?.reduce((sum, count) => sum + count, 0);
    const checked = (policy?.totals["praised"] ?? 0) + (policy?.totals["rejected"] ?? 0);
    return { recorded: [gradesOf("trial").length, gradesOf("check").length], learned: [learned, checked] };
  }

  it("are on the bill and learned once, whenever it dies", { timeout: 300_000 }, async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const { length } = await recorded();
      const cli = folder.start(["serve"]);
      const { url } = await untilServing(cli);
      let isKilled = false;
      const load = [0, 1, 2, 3].map(() => callUntil(url, () => isKilled));
      await expect.poll(async () => (await recorded()).length, { timeout: 60_000 }).toBeGreaterThan(length + 20);
      cli.process.kill("SIGKILL");
      isKilled = true;
      await Promise.all([...load, cli.result]);
    }
    const cli = folder.start(["serve"]);
    await untilServing(cli);
    // The spool is drained, and answers with feedback are graded, for a while after the start.
    const settled = async () => {
      const { recorded: onRecord, learned } = await counts();
      const ids = new Set((await store.query().selectFrom("Inference").select("id").execute()).map(({ id }) => id));
      const orphans = (await recorded()).filter(({ inferenceId }) => !ids.has(inferenceId)).length;
      const waiting = (await store.query().selectFrom("LearningBatch").select("id").execute()).length;
      return { waiting, orphans, missing: onRecord.map((count, at) => count - (learned[at] ?? 0)) };
    };
    await expect.poll(settled, { timeout: 60_000 }).toEqual({ waiting: 0, orphans: 0, missing: [0, 0] });
    expect(Math.min(...(await counts()).recorded)).toBeGreaterThan(0);
    // What was set aside for calls that were cut off stays spent: never less than what is on record.
    const rows = await recorded();
    const days = await store.query().selectFrom("ShadowDay").select("spentNanos").execute();
    const spent = days.reduce((sum, { spentNanos }) => sum + spentNanos, 0);
    expect(spent).toBeGreaterThanOrEqual(rows.reduce((sum, { costNanos }) => sum + (costNanos ?? 0), 0));
    cli.process.kill("SIGKILL");
    await cli.result;
  });
});
