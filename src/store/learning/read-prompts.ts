import { sql } from "kysely";
import { decodeRequest } from "../../hub/request-bytes.ts";
import { wholeOf } from "../../learning/bandit/cluster-id.ts";
import { templateId, templateOf } from "../../learning/families/fingerprint.ts";
import { promptTextOf } from "../../learning/families/prompt-text.ts";
import type { Prompt } from "../../learning/learner/known-clusters.ts";
import type { WholeFamily } from "../../learning/ports.ts";
import { expandBody } from "../../lib/compress-body.ts";
import { isRedacted } from "../bodies/redact.ts";
import type { Store } from "../types/store.ts";

/** The latest requests of a project among which those of a family are looked for. */
const LOOKED_AT = 20_000;
const PAGE = 1000;
/** Requests that are read at once; and one that is larger, as it is stored, is passed over. */
const BODIES_AT_ONCE = 25;
const MOST_BYTES = 2 ** 18;

/**
 * Reads how the conversations of a family's latest requests began, and their templates, the latest first. A project
 * that stores no requests, or stores them redacted, has none.
 */
export async function readPrompts(store: Store, family: WholeFamily, most: number): Promise<Prompt[]> {
  const ids = await readIds(store, family, most);
  const prompts: Prompt[] = [];
  for (let from = 0; from < ids.length; from += BODIES_AT_ONCE) {
    const rows = await store
      .query()
      .selectFrom("InferenceBody")
      .select("request")
      .where("id", "in", ids.slice(from, from + BODIES_AT_ONCE))
      .where(sql<number>`length(request)`, "<=", MOST_BYTES)
      .orderBy("id", "desc")
      .execute();
    for (const { request } of rows) {
      const input = decodeRequest(await expandBody(request));
      if (!isRedacted(input)) prompts.push({ text: promptTextOf(input), template: templateId(templateOf(input)) });
    }
  }
  return prompts;
}

async function readIds(store: Store, { key, family }: WholeFamily, most: number): Promise<string[]> {
  const { projectId, model } = key;
  const ids: string[] = [];
  let before: string | undefined;
  for (let looked = 0; looked < LOOKED_AT && ids.length < most; looked += PAGE) {
    const all = store.query().selectFrom("Inference").select(["id", "model", "family"]);
    const own = all.where("projectId", "=", projectId).orderBy("id", "desc").limit(PAGE);
    const rows = await (before === undefined ? own : own.where("id", "<", before)).execute();
    for (const row of rows) if (row.model === model && wholeOf(row.family) === family) ids.push(row.id);
    before = rows.at(-1)?.id;
    if (rows.length < PAGE) break;
  }
  return ids.slice(0, most);
}
