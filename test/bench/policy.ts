/**
 * `npm run bench:policy -- --data FILE`: what the policy that chooses models earns on rows with known scores, by
 * protocol R1 (docs/replay.md), against its bars; with `--safety`, what it does where nothing is to be gained; and what
 * a decision costs.
 */

import { armsOfSeveral } from "../../src/learning/bandit/best-of-n.ts";
import { readOptions } from "../support/read-options.ts";
import { ATTACKS, type AttackKind, measureAdversary } from "./policy/adversary.ts";
import { measureCandidates, measureFamilies, measureTwice } from "./policy/candidates.ts";
import { measureCheapModel } from "./policy/cheap-model.ts";
import { measureClusterWorlds } from "./policy/cluster-worlds.ts";
import { measureCommonTrouble } from "./policy/common-trouble.ts";
import { measureClusterCost, measureDecisionCost } from "./policy/decision-cost.ts";
import { measureOppositeSkills } from "./policy/opposite-skills.ts";
import { measureSafety, type SafetyOptions } from "./policy/safety.ts";
import { type Bar, SCENARIOS as PLAIN_SCENARIOS, type Seeds } from "./policy/scenarios.ts";
import { BACKFILL_SCENARIOS, SHADOW_SCENARIOS } from "./policy/shadow-scenarios.ts";
import { drawWorlds, playWorlds } from "./policy/worlds.ts";
import { readRows } from "./replay/read-rows.ts";
import type { ReplaySet } from "./replay/replay-set.ts";

const SCENARIOS = [...PLAIN_SCENARIOS, ...SHADOW_SCENARIOS, ...BACKFILL_SCENARIOS];
const USAGE = `usage: npm run bench:policy -- [--data FILE] [--scenarios B1,B2,...] [--tuning | --seeds 300-599] [--safety] [--candidates] [--json]
       npm run bench:policy -- --cheap-model [--seeds 0-19]
       npm run bench:policy -- --trouble 48
       npm run bench:policy -- --worlds 40 [--first-world 0] [--scenarios S1,WA,...] [--seeds 0-9] [--json]
       npm run bench:policy -- --adversary KIND,... [--shares .01,.03,.1] [--seeds 0-19]

--data      rows as 'npm run bench:replay' reads them; without them, only what needs none is measured
--tuning    seeds 100 to 119, which settings may be chosen on, and not those that are reported (0 to 19 and 200 to 259)
--seeds     those of a range, both ends included
--safety    streams with nothing to gain, with arms that do harm, with clusters of prompts that matter or do not, and
            with models of opposite skills
--candidates
            only what is earned where several answers may be asked for, by how often the better one is chosen; 20 streams

--cheap-model
            only the objective cost with a model at a tenth of the price, by how good it is and how much is rated

--trouble   only what guarded metrics do while all models are in trouble or one alone, in so many streams of each kind

--worlds    drawn worlds in place of data: rows, families, models, their correlation and dominance, scales, prices and
            drift differ, and so do the judge and the feedback of WB, WA and WC, and of WKB, WKA, WRB and WRA, where a
            third of the rows is on record and other models are asked for some of it. The worst is of the worlds, and
            of the seeds of each one for figures called worst. Five seeds unless said

--adversary months of the worlds of bench:trials in which a share of the end users is hostile, beside the same months
            without them; 'all' for every kind

Kinds of hostile raters:
${Object.entries(ATTACKS)
  .map(([kind, { title }]) => `  ${kind.padEnd(12)} ${title}`)
  .join("\n")}

Scenarios:
${SCENARIOS.map(({ id, title }) => `  ${id.padEnd(5)} ${title}`).join("\n")}`;
const options = readOptions(USAGE, {
  data: { type: "string" },
  safety: { type: "boolean", default: false },
  candidates: { type: "boolean", default: false },
  "cheap-model": { type: "boolean", default: false },
  trouble: { type: "string" },
  tuning: { type: "boolean", default: false },
  seeds: { type: "string" },
  scenarios: { type: "string" },
  worlds: { type: "string" },
  "first-world": { type: "string", default: "0" },
  adversary: { type: "string" },
  shares: { type: "string", default: ".01,.03,.1" },
  json: { type: "boolean", default: false },
});

interface Row extends Bar {
  readonly id: string;
  readonly title: string;
  readonly seeds: string;
}

const SEEDS: readonly Seeds[] = rangesOf(options.seeds ?? (options.tuning ? "100-119" : "0-19,200-259"));

function rangesOf(text: string): Seeds[] {
  return text.split(",").map((range) => {
    const [, first = "", last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    const seeds = Number(last) - Number(first) + 1;
    if (first === "" || seeds < 1) {
      console.error(`--seeds: '${range}' is not a range of seeds, as 300-599 is`);
      process.exit(2);
    }
    return { firstSeed: Number(first), seeds };
  });
}

async function playScenarios(set: ReplaySet): Promise<Row[]> {
  const wanted = options.scenarios?.split(",");
  const rows: Row[] = [];
  for (const { id, title, run } of SCENARIOS.filter((scenario) => wanted?.includes(scenario.id) ?? true)) {
    for (const seeds of SEEDS) {
      const range = `${seeds.firstSeed}-${seeds.firstSeed + seeds.seeds - 1}`;
      for (const bar of await run(set, seeds)) rows.push({ id, title, seeds: range, ...bar });
    }
    console.error(`${id}: ${title}`);
  }
  return rows;
}

function playSafety(): Row[] {
  const measure = (title: string, given: Partial<SafetyOptions>) => {
    const common = { streams: 1000, steps: 2000, families: 4, others: 4, harm: 0, believed: undefined };
    const result = measureSafety({ ...common, ...given });
    console.error(`B11: ${title}`);
    return { id: given.families === undefined ? "B11" : "B11f", title, seeds: "1000 streams", result };
  };
  const same = measure("four others that are just as good", {});
  const harmed = [
    measure("one other that is worse by 0.1", { harm: 0.1, others: 1 }),
    measure("four others that are worse by 0.1", { harm: 0.1 }),
    measure("the same, believed to be better by 0.05", { harm: 0.1, believed: 0.05 }),
    measure("the same models, and the best of two of them, told to be chosen right in .9", {
      harm: 0.1,
      toldAccuracy: 0.9,
    }),
    measure("four others that are worse by 0.1, 60 families", { harm: 0.1, families: 60 }),
    measure("the same, believed to be better by 0.05", { harm: 0.1, families: 60, believed: 0.05 }),
  ];
  return [
    { ...same, figure: "mostly not base", value: same.result.mostlyDeviating, most: 0.05 },
    ...harmed.flatMap((row): Row[] => [
      {
        ...row,
        figure: "loss <= .01 t",
        value: row.result.withinHundredth,
        ...(row.id === "B11" && { least: 0.95 }),
      },
      { ...row, figure: "loss <= .005 t", value: row.result.withinTwoHundredth },
    ]),
  ];
}

/** A table in Markdown: a column for each member. */
function toTable(rows: readonly object[]): string {
  const cellOf = (value: unknown): string =>
    typeof value !== "number" ? String(value) : Number.isInteger(value) ? `${value}` : value.toFixed(4);
  const lines = rows.map((row) => Object.values(row).map(cellOf));
  const names = Object.keys(rows[0] ?? {});
  return [names, names.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function isMet({ value, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }: Bar): boolean {
  return value >= least && value <= most;
}

function isAttack(kind: string): kind is AttackKind {
  return Object.hasOwn(ATTACKS, kind);
}

if (options.adversary !== undefined) {
  const kinds = options.adversary === "all" ? Object.keys(ATTACKS) : options.adversary.split(",");
  const shares = options.shares.split(",").map(Number);
  const ranges = options.seeds === undefined ? [{ firstSeed: 0, seeds: 20 }] : SEEDS;
  const seeds = ranges.flatMap(({ firstSeed, seeds: count }) =>
    Array.from({ length: count }, (_, at) => firstSeed + at),
  );
  const rows = kinds.flatMap((kind) => {
    if (!isAttack(kind)) throw new Error(`there is no kind '${kind}' of hostile raters`);
    return measureAdversary(kind, shares, seeds);
  });
  console.log(options.json ? JSON.stringify(rows) : toTable(rows));
  process.exit(0);
}
if (options["cheap-model"]) {
  const [seeds] = SEEDS;
  if (seeds === undefined) throw new Error("--seeds is empty");
  const rows = await measureCheapModel(seeds);
  console.log(options.json ? JSON.stringify(rows) : toTable(rows));
  process.exit(0);
}
if (options.trouble !== undefined) {
  const tables = measureCommonTrouble(Number(options.trouble));
  console.log(options.json ? JSON.stringify(tables) : Object.values(tables).map(toTable).join("\n\n"));
  process.exit(0);
}
if (options.worlds !== undefined) {
  const worlds = drawWorlds(Number(options["first-world"]), Number(options.worlds));
  const [seeds] = options.seeds === undefined ? [{ firstSeed: 0, seeds: 5 }] : SEEDS;
  if (seeds === undefined) throw new Error("--seeds is empty");
  const rows = await playWorlds(worlds, seeds, options.scenarios?.split(","), (name) => console.error(name));
  console.log(options.json ? JSON.stringify(rows) : toTable(rows));
  process.exit(0);
}
const set = options.data === undefined ? undefined : await readRows(options.data);
if (options.candidates) {
  const [seeds] = SEEDS;
  if (set === undefined || seeds === undefined) throw new Error("--candidates needs --data");
  const earned = await measureCandidates(set, seeds);
  const twice = await measureTwice(set, seeds);
  const families = await measureFamilies(set, seeds, 0.9);
  const { decisionMicrosP50, decisionMicrosP99, heapBytesPerDecision } = measureDecisionCost(armsOfSeveral(4));
  const cost = { decisionMicrosP50, decisionMicrosP99, heapBytesPerDecision };
  console.log(
    options.json
      ? JSON.stringify({ earned, twice, families, cost })
      : [earned, twice, families, [cost]].map(toTable).join("\n\n"),
  );
  process.exit(0);
}
const rows = [...(set === undefined ? [] : await playScenarios(set)), ...(options.safety ? playSafety() : [])];
const worlds = options.safety ? measureClusterWorlds() : undefined;
const opposite = options.safety ? measureOppositeSkills(1000, [2000, 3000, 4500, 6000, 8000, 10_000]) : undefined;
const cost = { ...measureDecisionCost(), ...(set !== undefined && { clusters: measureClusterCost(set.prompts) }) };
rows.push({
  id: "B8",
  title: "11 arms, 1,000 families",
  seeds: "-",
  figure: "decision p99, us",
  value: cost.decisionMicrosP99,
  most: 5,
});
if (options.json) {
  console.log(JSON.stringify({ bars: rows.map((row) => ({ ...row, isMet: isMet(row) })), cost, worlds, opposite }));
} else {
  const bar = ({ least, most }: Row): string =>
    least !== undefined ? `>= ${least}` : most !== undefined ? `<= ${most}` : "-";
  console.log("| id | scenario | seeds | figure | result | bar | met |\n| --- | --- | --- | --- | --- | --- | --- |");
  for (const row of rows) {
    const met = bar(row) === "-" ? "" : isMet(row) ? "yes" : "NO";
    console.log(`| ${[row.id, row.title, row.seeds, row.figure, row.value.toFixed(4), bar(row), met].join(" | ")} |`);
  }
  const { clusters, ...ofDecisions } = cost;
  console.table(ofDecisions);
  if (clusters !== undefined) console.table(clusters);
  if (worlds !== undefined) console.table(worlds);
  if (opposite !== undefined) console.table(opposite);
}
