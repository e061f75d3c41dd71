import { Anchor, SimpleGrid } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import {
  formatCost,
  formatLatency,
  formatNumber,
  formatPercent,
  formatShort,
  formatShortCost,
  formatTokens,
} from "../../../web/parts/format.ts";
import { windowRange } from "../../../web/parts/history-path.ts";
import { refusedPath } from "../../../web/parts/refused-path.ts";
import { Sparkline } from "../../../web/parts/sparkline.tsx";
import { StatCard } from "../../../web/parts/stat-card.tsx";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { Change, ShareChange } from "./change.tsx";
import type { Part } from "./compare-shares.ts";
import type { ColumnName, Figures, Shown } from "./figures.ts";

type Total = Figures["total"];

interface Card {
  readonly label: string;
  readonly value: (total: Total) => ReactNode;
  /** Returns the parts of the value. */
  readonly detail: (total: Total) => string | undefined;
  readonly exact?: (total: Total) => string;
  /** Returns the value that is compared with the period before; a part where it is a share. */
  readonly compared: (shown: Shown) => number | Part | null;
  /** The column that is drawn below the value. */
  readonly trend: ColumnName;
  /** Returns what follows the parts, in the same line. */
  readonly aside?: (figures: Figures) => ReactNode;
}

const share = (part: number | null, whole: number | null) => (whole ? (part ?? 0) / whole : null);

const CARDS: readonly Card[] = [
  {
    label: "Calls",
    value: ({ calls }) => formatShort(calls),
    exact: ({ calls }) => `${formatNumber(calls)} calls`,
    detail: () => undefined,
    compared: ({ calls }) => calls,
    trend: "calls",
  },
  {
    label: "Errors",
    value: ({ failedCalls, calls }) => formatPercent(share(failedCalls, calls)),
    detail: ({ failedCalls }) => `${formatNumber(failedCalls)} failed`,
    compared: ({ failedCalls, calls }) => ({ part: failedCalls ?? 0, whole: calls ?? 0 }),
    trend: "failedCalls",
    aside: (figures) => figures.refused.calls > 0 && <RefusedLink figures={figures} />,
  },
  {
    label: "Time to first token, p50",
    value: ({ firstTokenP50Ms }) => formatLatency(firstTokenP50Ms),
    detail: ({ firstTokenP95Ms, firstTokenP99Ms }) =>
      `p95 ${formatLatency(firstTokenP95Ms)}, p99 ${formatLatency(firstTokenP99Ms)}`,
    compared: ({ firstTokenP50Ms }) => firstTokenP50Ms,
    trend: "firstTokenP50Ms",
  },
  {
    label: "Total latency, p50",
    value: ({ totalP50Ms }) => formatLatency(totalP50Ms),
    detail: ({ totalP95Ms, totalP99Ms }) => `p95 ${formatLatency(totalP95Ms)}, p99 ${formatLatency(totalP99Ms)}`,
    compared: ({ totalP50Ms }) => totalP50Ms,
    trend: "totalP50Ms",
  },
  {
    label: "Input tokens",
    value: ({ inputTokens }) => formatShort(inputTokens),
    exact: ({ inputTokens }) => formatTokens(inputTokens),
    detail: ({ cachedTokens, inputTokens }) => `${formatPercent(share(cachedTokens, inputTokens))} from cache`,
    compared: ({ inputTokens }) => inputTokens,
    trend: "inputTokens",
    aside: ({ total: { cacheSavedNanos } }) => cacheText(cacheSavedNanos ?? 0),
  },
  {
    label: "Output tokens",
    value: ({ outputTokens }) => formatShort(outputTokens),
    exact: ({ outputTokens }) => formatTokens(outputTokens),
    detail: ({ outputTokens, calls, tokensPerSecond }) =>
      `${formatShort(share(outputTokens, calls))} per call, ${formatShort(tokensPerSecond)} a second`,
    compared: ({ outputTokens }) => outputTokens,
    trend: "outputTokens",
  },
  {
    label: "Cost",
    value: ({ costNanos }) => formatShortCost(costNanos),
    exact: ({ costNanos }) => formatCost(costNanos),
    detail: ({ pricedCalls, calls, failedCalls, costNanos }) => {
      const each = `${formatShortCost(share(costNanos, pricedCalls))} per call`;
      // A call that failed has no price; of any other it should be known.
      const unknown = (calls ?? 0) - (failedCalls ?? 0) - pricedCalls;
      return unknown <= 0 ? each : `${each}, without ${formatShort(unknown)} of unknown price`;
    },
    compared: ({ costNanos }) => costNanos,
    trend: "costNanos",
  },
];

/**
 * Stands there once something was saved, or spent beyond what plain calls cost: until then it could only say nothing.
 */
const SAVED: Card = {
  label: "Saved",
  value: ({ savedNanos }) => formatShortCost(savedNanos),
  exact: ({ savedNanos }) => formatCost(savedNanos),
  detail: ({ savedNanos, costNanos }) =>
    `${formatPercent(share(savedNanos, (costNanos ?? 0) + (savedNanos ?? 0)))} of what the base models alone would cost`,
  compared: ({ savedNanos }) => savedNanos,
  trend: "savedNanos",
};

function hasSavings({ total, compared: { before } }: Figures): boolean {
  return (total.savedNanos ?? 0) !== 0 || (before.savedNanos ?? 0) !== 0;
}

/** The figures of a time, each with its change against the period before. */
export function Cards({ figures }: { readonly figures: Figures | undefined }) {
  const cards = figures !== undefined && hasSavings(figures) ? [...CARDS, SAVED] : CARDS;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" className="attune-cards">
      {cards.map((card) => (
        <StatCard
          key={card.label}
          label={card.label}
          value={figures && card.value(figures.total)}
          exact={figures && card.exact?.(figures.total)}
          trend={figures && <Sparkline values={figures.all[card.trend]} />}
          change={figures && hasBefore(figures) && <CardChange card={card} {...figures.compared} />}
          note={figures ? <Note card={card} figures={figures} /> : <>&nbsp;</>}
        />
      ))}
    </SimpleGrid>
  );
}

/** The change of a card's value: of a share in points. */
function CardChange({ card, now, before }: { readonly card: Card; readonly now: Shown; readonly before: Shown }) {
  const [value, old] = [card.compared(now), card.compared(before)];
  if (value !== null && old !== null && typeof value === "object" && typeof old === "object") {
    return <ShareChange now={value} before={old} />;
  }
  return <Change now={toNumber(value)} before={toNumber(old)} />;
}

function toNumber(value: number | Part | null): number | null {
  return typeof value === "object" ? null : value;
}

/** Returns the text for the providers' own cache discount, which is in the cost, and no part of the savings. */
function cacheText(savedNanos: number): string | undefined {
  if (savedNanos === 0) return undefined;
  const amount = formatShortCost(Math.abs(savedNanos));
  return savedNanos > 0 ? `${amount} saved` : `${amount} more for writing to it`;
}

/** The number of refused calls, which leads to them where the role may see them. */
function RefusedLink({ figures }: { readonly figures: Figures }) {
  const project = useProject();
  const { calls } = figures.refused;
  const text = `${formatNumber(calls)} ${calls === 1 ? "call" : "calls"} refused`;
  if (!mayAct(project, "requests.read")) return text;
  return (
    <Anchor component={Link} to={refusedPath(project.id, windowRange(figures))} inherit underline="always">
      {text}
    </Anchor>
  );
}

/** Tells whether there is anything to compare with: a project's first hours are compared with none. */
export function hasBefore({ compared: { before } }: Figures): boolean {
  return (before.calls ?? 0) > 0;
}

function Note({ card, figures }: { readonly card: Card; readonly figures: Figures }) {
  const aside = card.aside?.(figures);
  return (
    <>
      {card.detail(figures.total)}
      {aside && <>, {aside}</>}
    </>
  );
}
