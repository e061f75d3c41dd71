import "./answers.css";
import { formatCost, formatLatency, formatNumber, formatTokens, markEstimate } from "./format.ts";

type Figure = number | null | undefined;

/** The figures of an answer; undefined are those that a page does not have, null those that nobody knows. */
export interface AnswerFigures {
  readonly costNanos?: Figure;
  readonly usageEstimated?: boolean;
  readonly latencyMs?: Figure;
  readonly timeToFirstTokenMs?: Figure;
  /** The whole prompt, with what a cache held. */
  readonly promptTokens?: Figure;
  readonly cacheReadTokens?: Figure;
  readonly outputTokens?: Figure;
  readonly reasoningTokens?: Figure;
  /** Name of the upstream. */
  readonly servedBy?: string | undefined;
  /** The word for the end of the answer. */
  readonly ending?: string | undefined;
  /** True while the record is on its way. */
  readonly isPending?: boolean;
}

/** Shows what an answer cost and took, in the same order and form wherever answers are shown. */
export function AnswerFacts({ figures }: { readonly figures: AnswerFigures }) {
  const { usageEstimated = false, isPending = false } = figures;
  const estimated = (text: string) => markEstimate(text, usageEstimated);
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["Cost", write(figures.costNanos, (nanos) => estimated(formatCost(nanos)))],
    ["Latency", write(figures.latencyMs, formatLatency)],
    ["First token", write(figures.timeToFirstTokenMs, formatLatency)],
    ["Tokens in", write(figures.promptTokens, tokens(estimated, figures.cacheReadTokens, "cached"))],
    ["Tokens out", write(figures.outputTokens, tokens(estimated, figures.reasoningTokens, "thinking"))],
    ["Served by", figures.servedBy],
    ["Ended with", figures.ending],
  ];
  const shown = lines.filter(([, text]) => isPending || text !== undefined);
  if (shown.length === 0) return null;
  return (
    <dl className="attune-answer-facts">
      {shown.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text ?? "…"}</dd>
        </div>
      ))}
    </dl>
  );
}

function write(figure: Figure, format: (value: number) => string): string | undefined {
  return figure === null ? "not known" : figure === undefined ? undefined : format(figure);
}

/** Writes tokens with the part of them that a word tells apart: 1,200 tokens (800 cached). */
function tokens(estimated: (text: string) => string, part: Figure, word: string) {
  return (count: number) => `${estimated(formatTokens(count))}${part ? ` (${formatNumber(part)} ${word})` : ""}`;
}
