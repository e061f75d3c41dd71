import type { AnswerFeatures } from "../../../src/learning/equivalence/answer-features.ts";
import { compareAnswers } from "../../../src/learning/equivalence/compare-answers.ts";
import {
  addComparison,
  type Evidence,
  findDifference,
  NO_EVIDENCE,
} from "../../../src/learning/equivalence/evidence.ts";

/** How a simulated model answers. */
export interface SimulatedModel {
  /** Times as many characters as base. */
  readonly length?: number;
  /** Probability that an answer is cut off at its limit. */
  readonly cut?: number;
  /** Probability that it calls the tool which another model would not. */
  readonly otherTool?: number;
  /** The part of its words that base would have chosen otherwise. */
  readonly words?: number;
}

/** Small and fast, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Words that an answer may have, and how many it has. */
const CHOICES = 2;
const WORDS = 16;

/**
 * Answers a request: each place of the text has a likely word and a less likely one, and requests differ in how long
 * answers are.
 */
export function answer(model: SimulatedModel, request: number, random: () => number): AnswerFeatures {
  const { length = 1, cut = 0.1, otherTool = 0.2, words = 0 } = model;
  const usual = 100 + (request % 900);
  const pieces: number[] = [];
  for (let at = 0; at < WORDS; at++) {
    const isOwn = random() < words;
    const choice = isOwn ? CHOICES : random() < 0.7 ? 0 : 1;
    pieces.push(at * (CHOICES + 1) + choice);
  }
  const isCut = random() < cut;
  const noise = 0.7 + 0.6 * random();
  const features = {
    length: Math.round(usual * length * noise),
    finish: isCut ? 3 : 1,
    tools: random() < otherTool ? 2 : 1,
    pieces: Uint32Array.from(pieces),
  };
  return { ...features, exact: JSON.stringify([features.length, pieces]) };
}

/** Audits a deployment, and looks at the evidence after each sample; returns after how many it was found different. */
export function audit(
  deployed: (sample: number) => SimulatedModel,
  { seed, samples, nullShare = 0.5 }: { readonly seed: number; readonly samples: number; readonly nullShare?: number },
): { readonly foundAfter: number | undefined; readonly evidence: Evidence } {
  const random = seeded(seed);
  let evidence = NO_EVIDENCE;
  for (let sample = 1; sample <= samples; sample++) {
    const request = Math.floor(random() * 1e6);
    const comparison = compareAnswers({
      deployed: answer(deployed(sample), request, random),
      base: answer({}, request, random),
      baseAgain: random() < nullShare ? answer({}, request, random) : undefined,
      isDeterministic: false,
    });
    evidence = addComparison(evidence, comparison);
    if (findDifference(evidence) !== undefined) return { foundAfter: sample, evidence };
  }
  return { foundAfter: undefined, evidence };
}
