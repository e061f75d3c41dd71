import { type AuditKey, type AuditState, putBack } from "../../learning/equivalence/audit-state.ts";
import { reportEvidence } from "../../learning/equivalence/evidence.ts";
import type { Share } from "../../learning/equivalence/sign-test.ts";
import { createAuditStore } from "../../store/equivalence/audit-store.ts";
import type { Store } from "../../store/types/store.ts";
import { argument, type CommandGroup, defineCommand, flag } from "../command.ts";
import { json } from "../options.ts";
import { fail, print, printJson, printJsonList, printTable } from "../output.ts";
import { withStore } from "../with-config.ts";

const HELP = `
The configuration (audit) sets which deployments are compared, and how often. See docs/equivalence.md.`;

const SUMMARY_MEMBERS = [
  ...["model", "upstream", "upstreamModel", "standing", "differentBy", "samples", "match", "baseMatch"],
];
const DETAIL_MEMBERS = ["comparedWith", "askedTwice", "distance", "baseDistance", "measures", "history"];

/** The arguments that name a deployment. */
const DEPLOYMENT = {
  model: argument("name of the model"),
  upstream: argument("name of the upstream"),
  upstreamModel: argument("model as the upstream calls it"),
};

/** `attune audit`. */
export const audit: CommandGroup = {
  help: HELP,
  commands: {
    list: defineCommand({
      summary: "list the compared deployments",
      options: json("list", SUMMARY_MEMBERS),
      run: (options) => list(options.json),
    }),
    show: defineCommand({
      summary: "show the evidence on a deployment, and its history",
      arguments: DEPLOYMENT,
      options: json("object", [...SUMMARY_MEMBERS, ...DETAIL_MEMBERS]),
      run: ({ model, upstream, upstreamModel, json: isJson }) =>
        show({ model, place: { upstream, model: upstreamModel } }, isJson),
    }),
    "put-back": defineCommand({
      summary: "put back a deployment that proved different, and start its comparison over",
      arguments: DEPLOYMENT,
      options: { trust: flag("never take it out again, regardless of the evidence") },
      run: ({ model, upstream, upstreamModel, trust }) =>
        askAgain({ model, place: { upstream, model: upstreamModel } }, trust),
    }),
  },
};

async function list(isJson: boolean): Promise<void> {
  await withStore(async (store) => {
    const states = await createAuditStore(store).readAll();
    if (isJson) return printJsonList(states.map(toJsonSummary));
    if (states.length === 0) return print("no deployment was compared yet");
    const rows = states.map((state) => {
      const { samples, match, baseMatch } = reportEvidence(state.evidence);
      const { model, place } = state.key;
      return [
        model,
        place.upstream,
        place.model,
        state.standing,
        getVerdict(state),
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
    model: key.model,
    upstream,
    upstreamModel,
    standing,
    differentBy: difference?.by ?? [],
    samples,
    match: toJsonShare(match),
    baseMatch: toJsonShare(baseMatch),
  };
}

function toJsonDetail({ plainPlace, evidence, history }: AuditState) {
  const { nulls, distance, baseDistance, measures } = reportEvidence(evidence);
  return {
    comparedWith: { upstream: plainPlace.upstream, upstreamModel: plainPlace.model },
    askedTwice: nulls,
    distance: distance ?? null,
    baseDistance: baseDistance ?? null,
    measures: measures.map(({ measure, expected, count, eValue, ...share }) => ({
      measure,
      share: toJsonShare(share),
      expected: expected ?? null,
      count,
      eValue,
    })),
    history,
  };
}

/** Returns a share, 0 to 1, with its interval of 95%; null where nothing was compared. */
function toJsonShare({ estimate, low, high }: Share) {
  return estimate === undefined ? null : { estimate, low, high };
}

async function show(key: AuditKey, isJson: boolean): Promise<void> {
  await withStore(async (store) => {
    const state = await find(store, key);
    if (isJson) return printJson({ ...toJsonSummary(state), ...toJsonDetail(state) });
    const { samples, nulls, match, baseMatch, distance, baseDistance, measures } = reportEvidence(state.evidence);
    print(`${describe(key)}: ${state.standing}, ${getVerdict(state)}`);
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

async function askAgain(key: AuditKey, isTrusted: boolean): Promise<void> {
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

function getVerdict({ difference }: AuditState): string {
  return difference === undefined ? "no difference found" : `different (${difference.by.join(", ")})`;
}

function share({ estimate, low, high }: Share): string {
  if (estimate === undefined) return "-";
  return `${(100 * estimate).toFixed(1)}% (${(100 * low).toFixed(1)}-${(100 * high).toFixed(1)})`;
}

function figure(value: number | undefined): string {
  return value === undefined ? "-" : value.toFixed(3);
}
