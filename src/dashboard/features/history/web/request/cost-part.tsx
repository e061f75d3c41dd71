import { Alert, Table, Text } from "@mantine/core";
import { alignDecimals } from "../../../../web/parts/align-decimals.ts";
import { formatCost, formatTokens, markEstimate, markGaps } from "../../../../web/parts/format.ts";
import { listSavings } from "../../../../web/parts/saving-names.ts";
import type { RequestDetails } from "../types.ts";
import { explainDifference, formatPicos, formatPrice, sumNanos } from "./format-price.ts";
import { Section } from "./section.tsx";

const KINDS = {
  input: "Prompt, not cached",
  cacheRead: "Prompt, read from a cache",
  cacheWrite5m: "Prompt, written to a cache",
  cacheWrite1h: "Prompt, written to a cache for an hour",
  cacheWrite12h: "Prompt, written to a cache for 12 hours",
  audioInput: "Prompt, sound",
  audioCacheRead: "Prompt, sound read from a cache",
  imageInput: "Prompt, pictures",
  reasoning: "Reasoning",
  audioOutput: "Answer, sound",
  imageOutput: "Answer, pictures",
  output: "Answer",
} as const;

type Props = Pick<RequestDetails, "facts" | "cost" | "attempts">;

/** Tokens, prices and costs, line by line. */
export function CostPart(props: Props) {
  return (
    <Section title="Tokens and cost">
      {props.facts.inputTokens == null ? (
        <Text fz="sm" c="dimmed">
          The upstream counted no tokens.
        </Text>
      ) : (
        <Tokens {...props} />
      )}
    </Section>
  );
}

function Tokens({ facts, cost, attempts }: Props) {
  const tools = (cost?.toolCalls ?? []).reduce((total, { calls, nanos }) => total + calls * nanos, 0);
  const sum = cost === null ? undefined : sumNanos(cost.lines.map(({ costPicos }) => costPicos)) + tools;
  const gaps = facts.costGaps ?? [];
  const others = costOfOthers(facts, attempts);
  const { reportedCostNanos: reported } = facts;
  const isServedOtherwise = facts.baseCostNanos != null && facts.baseCostNanos !== facts.costNanos;
  const lines: readonly LineProps[] = [
    ...(cost?.lines ?? []).map(({ kind, tokens, pricePicos, costPicos }) => ({
      name: KINDS[kind],
      detail: `${markEstimate(formatTokens(tokens), facts.usageEstimated)} × ${formatPrice(pricePicos)}`,
      value: formatPicos(costPicos),
    })),
    ...(cost?.toolCalls ?? []).map(({ name, calls, nanos }) => ({
      name: `Calls of ${name}`,
      detail: `${calls} × ${formatCost(nanos)}`,
      value: formatCost(calls * nanos),
    })),
    ...(reported !== null && sum !== undefined ? [{ name: "By the prices here", value: formatCost(sum) }] : []),
    ...(reported !== null ? [{ name: "As the provider reports it", value: formatCost(reported) }] : []),
    ...(others !== 0 ? [{ name: "Attempts that did not win", value: formatCost(others) }] : []),
    {
      name: `Cost${facts.usageEstimated ? ", an estimate" : ""}${gaps.length > 0 ? ": at least" : ""}`,
      value: markGaps(markEstimate(formatCost(facts.costNanos), facts.usageEstimated), gaps),
      isTotal: true,
    },
    ...(isServedOtherwise ? [{ name: "The base model alone", value: formatCost(facts.baseCostNanos) }] : []),
    ...listSavings(facts.saved ?? {}).map(({ label, text, nanos }) => ({
      name: `Saved: ${label.toLowerCase()}`,
      detail: text,
      value: formatCost(nanos),
    })),
    ...cacheLines(facts.cacheSavedNanos ?? 0),
  ];
  const amounts = alignDecimals(lines.map(({ value }) => value));
  return (
    <>
      <Table.ScrollContainer minWidth={300} type="native">
        <Table
          className="attune-amounts"
          fz="sm"
          verticalSpacing={6}
          horizontalSpacing={6}
          aria-label="Tokens and cost"
        >
          <Table.Tbody>
            {cost === null && <PlainTokens facts={facts} />}
            {lines.map((line, at) => (
              <Line key={line.name} {...line} value={amounts[at] ?? ""} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Notes facts={facts} isLongPrompt={cost?.isLongPrompt ?? false} byPrices={sum} others={others} />
    </>
  );
}

/** Returns the cost of attempts whose answer was not used. Requests from before attempts were recorded have none. */
function costOfOthers({ costNanos }: Props["facts"], attempts: Props["attempts"]): number {
  const losers = attempts.filter(({ isWinner }) => !isWinner);
  if (losers.length === attempts.length) return 0;
  return costNanos == null ? 0 : losers.reduce((total, attempt) => total + (attempt.costNanos ?? 0), 0);
}

/** The provider's own prices, and no merit of Attune: it stands apart, below what was paid. */
function cacheLines(savedNanos: number): readonly LineProps[] {
  if (savedNanos === 0) return [];
  const name =
    savedNanos > 0 ? "Discount of the provider's prompt cache" : "Added by writing to the provider's prompt cache";
  const detail = "compared with the list price of the same prompt without a cache; not counted as saved";
  return [{ name, detail, value: formatCost(Math.abs(savedNanos)) }];
}

interface LineProps {
  readonly name: string;
  readonly detail?: string;
  readonly value: string;
  readonly isTotal?: boolean;
}

function Line({ name, detail, value, isTotal = false }: LineProps) {
  return (
    <Table.Tr {...(isTotal && { fw: 600 })}>
      <Table.Td>
        {name}
        {detail !== undefined && (
          <Text fz="xs" c="dimmed">
            {detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{value}</Table.Td>
    </Table.Tr>
  );
}

function PlainTokens({ facts }: Pick<RequestDetails, "facts">) {
  const lines = [
    ["Prompt", facts.promptTokens],
    ["Answer", facts.outputTokens],
  ] as const;
  return lines.map(([name, tokens]) => (
    <Line key={name} name={name} value={markEstimate(formatTokens(tokens), facts.usageEstimated)} />
  ));
}

interface NotesProps extends Pick<RequestDetails, "facts"> {
  readonly isLongPrompt: boolean;
  /** The sum of the lines, in nano-dollars; undefined without prices. */
  readonly byPrices: number | undefined;
  /** The cost of attempts whose answer was not used. */
  readonly others: number;
}

function Notes({ facts, isLongPrompt, byPrices, others }: NotesProps) {
  const sum = byPrices === undefined ? undefined : byPrices + others;
  const notes = [
    facts.usageEstimated &&
      "The upstream didn't count the tokens, or the answer was interrupted first. They are estimated from the " +
        "request and the answer.",
    (facts.reasoningTokens ?? 0) > 0 && `${formatTokens(facts.reasoningTokens)} of the answer are reasoning.`,
    (facts.costGaps ?? []).length > 0 &&
      `It cost more than this: no price is known for ${(facts.costGaps ?? []).join(", ")}. Add it to the model's price.`,
    isLongPrompt && "The prompt is long enough for the prices of long prompts.",
    sum === undefined && "The configuration has no prices for this model now, so the lines are not shown.",
    facts.reportedCostNanos !== null && "The cost that the provider reports is the one that counts.",
    facts.reportedCostNanos === null &&
      sum !== undefined &&
      sum !== facts.costNanos &&
      `Today's prices add up to ${formatCost(sum)}: the prices changed. The recorded cost counts.`,
  ].filter((note) => note !== false);
  const difference = explainDifference(facts.reportedCostNanos, byPrices);
  return (
    <>
      {difference !== undefined && (
        <Alert color="yellow" title="The provider reports another cost">
          {difference}
        </Alert>
      )}
      {notes.map((note) => (
        <Text key={note} fz="sm" c="dimmed">
          {note}
        </Text>
      ))}
    </>
  );
}
