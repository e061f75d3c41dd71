import { type AuditKey, type AuditState, putBack } from "../learning/equivalence/audit-state.ts";
import { reportEvidence } from "../learning/equivalence/evidence.ts";
import type { Share } from "../learning/equivalence/sign-test.ts";
import { createAuditStore } from "../store/equivalence/audit-store.ts";
import type { Store } from "../store/types/store.ts";
import type { JsonOptions } from "./json-option.ts";
import { fail, print, printJson, printJsonList, printTable } from "./output.ts";
import { withStore } from "./with-config.ts";

/** Lists what was compared. */
export async function runList({ json }: JsonOptions): Promise<void> {
  await withStore(async (store) => {
    const states = await createAuditStore(store).readAll();
    if (json) return printJsonList(states.map(toJsonSummary));
    if (states.length === 0) return print("no deployment was compared yet");
    const rows = states.map((state) => {
      const { samples, match, baseMatch } = reportEvidence(state.evidence);
      const { model, place } = state.key;
      return [
        model,
        place.upstream,
        place.model,
        state.standing,
        verdictOf(state),
        `${samples}`,
        share(match),
        share(baseMatch),
      ];
    });
    printTable(["MODEL", "UPSTREAM", "UPSTREAM MODEL", "STANDING", "VERDICT", "SAMPLES", "MATCH", "BASE MATCH"], rows);
  });
}

function toJsonSummary({ key, standing, difference, evidence }: AuditState) {
  const { samples, match, baseMatch } = reportEvidence(evidence);
  const { upstream, model: upstreamModel } = key.place;
  return {
    ...{ model: key.model, upstream, upstreamModel, standing, differentBy: difference?.by ?? [], samples },
    ...{ match: toJsonShare(match), baseMatch: toJsonShare(baseMatch) },
  };
}

function toJsonDetail({ plainPlace, evidence, history }: AuditState) {
  const { nulls, distance, baseDistance, measures } = reportEvidence(evidence);
  return {
    comparedWith: { upstream: plainPlace.upstream, upstreamModel: plainPlace.model },
    ...{ askedTwice: nulls, distance: distance ?? null, baseDistance: baseDistance ?? null },
    measures: measures.map(({ measure, expected, count, eValue, ...share }) => ({
      ...{ measure, share: toJsonShare(share), expected: expected ?? null, count, eValue },
    })),
    history,
  };
}

/** Returns a share, 0 to 1, with its interval of 95%; null where nothing was compared. */
function toJsonShare({ estimate, low, high }: Share) {
  return estimate === undefined ? null : { estimate, low, high };
}

/** Shows one deployment. */
export async function runShow(key: AuditKey, { json }: JsonOptions): Promise<void> {
  await withStore(async (store) => {
    const state = await find(store, key);
    if (json) return printJson({ ...toJsonSummary(state), ...toJsonDetail(state) });
    const { samples, nulls, match, baseMatch, distance, baseDistance, measures } = reportEvidence(state.evidence);
    print(`${describe(key)}: ${state.standing}, ${verdictOf(state)}`);
    print(
      `compared with ${state.plainPlace.upstream} ${state.plainPlace.model}: ${samples} answers, ${nulls} of ` +
        "them asked twice",
    );
    print(
      `same answer to deterministic requests: ${share(match)}; the first deployment to itself: ${share(baseMatch)}`,
    );
    print(`distance of texts: ${figure(distance)}; of the first deployment to itself: ${figure(baseDistance)}\n`);
    printTable(
      ["MEASURE", "SHARE (95%)", "IF EQUAL", "COUNT", "E-VALUE"],
      measures.map((of) => [of.measure, share(of), figure(of.expected), `${of.count}`, of.eValue.toPrecision(3)]),
    );
    if (state.history.length === 0) return;
    print();
    printTable(
      ["TIME", "EVENT", "DETAIL"],
      state.history.map(({ at, kind, detail }) => [at, kind, detail === undefined ? "" : JSON.stringify(detail)]),
    );
  });
}

/** Has a deployment asked again. */
export async function runPutBack(key: AuditKey, isTrusted: boolean): Promise<void> {
  await withStore(async (store) => {
    await find(store, key);
    const change = (known: AuditState | undefined) => {
      if (known === undefined) throw new Error(`${describe(key)} is gone`);
      return putBack(known, isTrusted, new Date());
    };
    await createAuditStore(store).change(key, change, "deployments.putBack");
    print(
      `${describe(key)} is in use again${isTrusted ? ", regardless of the evidence" : "; its comparison starts over"}`,
    );
  });
}

async function find(store: Store, { model, place }: AuditKey): Promise<AuditState> {
  const states = await createAuditStore(store).readAll();
  const found = states.find(
    ({ key }) => key.model === model && key.place.upstream === place.upstream && key.place.model === place.model,
  );
  return found ?? fail(`${describe({ model, place })} was not compared: 'attune audit list' has those that were`);
}

function describe({ model, place }: AuditKey): string {
  return `${model} at ${place.upstream} (${place.model})`;
}

function verdictOf({ difference }: AuditState): string {
  return difference === undefined ? "no difference found" : `different (${difference.by.join(", ")})`;
}

function share({ estimate, low, high }: Share): string {
  if (estimate === undefined) return "-";
  return `${(100 * estimate).toFixed(1)}% (${(100 * low).toFixed(1)}-${(100 * high).toFixed(1)})`;
}

function figure(value: number | undefined): string {
  return value === undefined ? "-" : value.toFixed(3);
}
