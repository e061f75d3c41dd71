import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CLAIMED_PAGES, CLAIMS, type Claim } from "./claims.ts";
import { sentencesOf } from "./prose.ts";
import type { Outcome } from "./step.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Words that leave no exception: whoever finds one has been promised something that is not so. */
const ABSOLUTE =
  /\b(?:never|always|nothing|nobody|none|every|any|all|exactly|guarantee[sd]?)\b|\beach (?!other)|\bno\b.*\bever\b|^No (?!\w+,)/i;
/** A number that can be measured: it has a unit, or is a part or a multiple of something. */
const FIGURE = new RegExp(
  [
    /\d[\d,.]*(?:\s?(?:%|percent\b)| (?:in|of) (?:[\d,]+|an? (?:hundred|thousand|million)))/,
    /\d[\d,.]* ?(?:µs|ms|s|milliseconds?|seconds?|minutes?|hours?|days?|months?|[KMGT]i?B|USD|dollars?|bytes|x\b|times\b)/,
    /\d[\d,.]* (?:calls|requests|answers|rewards|prompts|characters|values|votes|raters|tokens|(?:events|requests|calls) (?:a|per) second)\b/,
    /\$ ?\d/,
    /\b(?:[Oo]ne|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Nn]ine) (?:\w+ )?(?:in|of|out of) (?:two|three|four|five|ten|twenty|a hundred|a thousand)\b/,
    /\b(?:half|twice|double|(?:two|three|four|five|ten|a hundred|a thousand) times) (?:the|as|of|a)\b/,
    /\b(?:less|more|faster|slower|cheaper|within|under|over|below) (?:than |by )?an? (?:half |third |quarter |fifth |tenth )?(?:of )?a?\s?(?:half|third|quarter|fifth|tenth|millisecond|microsecond|second|minute|hour|day)\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
/** Sentences that tell a reader what to do, and where to read on. */
const ADVICE =
  /^(?:Keep|Put|Write|Make|Set|Move|Never (?!has|have|is|are|was|were|does|did|will|can)\w+|Start|Take|Look|Read|Use|Try|Ask|To (?!any|all|each|every|date|nobody)\w+|All pages|What each|Langfuse|You want|Both need|Any feedback will do|The provider)\b/;

/** Tells a sentence that promises something of the service from instructions and examples. */
export function isClaim(sentence: string): boolean {
  return (
    !ADVICE.test(sentence) && !/\bfor example\b/.test(sentence) && (ABSOLUTE.test(sentence) || FIGURE.test(sentence))
  );
}

/** Lists claims of a page that no row has. */
export function findUnshown(page: string, markdown: string, claims: readonly Claim[]): string[] {
  const shown = claims.filter((claim) => claim.page === page).flatMap(({ says }) => says);
  return sentencesOf(markdown)
    .filter((sentence) => isClaim(sentence) && !shown.some((part) => sentence.includes(part)))
    .map((sentence) => `${page}: nothing shows '${sentence}': weaken it, or name its test in scripts/docs/claims.ts`);
}

/** Lists what is wrong with a row: a sentence that its page no longer has, or a test that is gone. */
export function findStale({ page, says, shownBy, title }: Claim, read: (path: string) => string | undefined): string[] {
  const sentences = sentencesOf(read(page) ?? "");
  const gone = says.filter((part) => !sentences.some((sentence) => sentence.includes(part)));
  const findings = gone.map((part) => `scripts/docs/claims.ts: ${page} no longer says '${part}': correct the row`);
  const text = read(shownBy);
  if (text === undefined) return [...findings, `scripts/docs/claims.ts: there is no ${shownBy}`];
  return text.includes(title) ? findings : [...findings, `scripts/docs/claims.ts: ${shownBy} has no '${title}'`];
}

/** Checks that each claim of the pages of promises has a row, and each row its sentence and its test. */
export function checkClaims(): Outcome {
  const unshown = CLAIMED_PAGES.flatMap((page) => findUnshown(page, readFrom(page) ?? "", CLAIMS));
  const stale = CLAIMS.flatMap((claim) => findStale(claim, readFrom));
  const count = CLAIMS.reduce((sum, { says }) => sum + says.length, 0);
  return { looked: `${CLAIMED_PAGES.length} pages, ${count} claims`, findings: [...unshown, ...stale] };
}

function readFrom(path: string): string | undefined {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
