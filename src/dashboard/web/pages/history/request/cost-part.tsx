import { Table, Text } from "@mantine/core";
import { formatCost, formatTokens } from "../../../parts/format.ts";
import type { RequestDetails } from "../types.ts";
import { formatPicos, formatPrice, sumNanos } from "./format-price.ts";
import { Section } from "./section.tsx";

const KINDS = {
  input: "Prompt, not cached",
  cacheRead: "Prompt, read from a cache",
  cacheWrite5m: "Prompt, written to a cache",
  cacheWrite1h: "Prompt, written to a cache for an hour",
  output: "Answer",
} as const;

/** Tokens, prices and costs, line by line. */
export function CostPart({ facts, cost }: Pick<RequestDetails, "facts" | "cost">) {
  return (
    <Section title="Tokens and cost">
      {facts.inputTokens == null ? (
        <Text fz="sm" c="dimmed">
          The upstream counted no tokens.
        </Text>
      ) : (
        <Tokens facts={facts} cost={cost} />
      )}
    </Section>
  );
}

function Tokens({ facts, cost }: Pick<RequestDetails, "facts" | "cost">) {
  const sum = cost === null ? undefined : sumNanos(cost.lines.map(({ costPicos }) => costPicos));
  const isRouted = facts.baseCostNanos != null && facts.baseCostNanos !== facts.costNanos;
  return (
    <>
      <Table.ScrollContainer minWidth={300} type="native">
        <Table fz="sm" verticalSpacing={6} horizontalSpacing={6} aria-label="Tokens and cost">
          <Table.Tbody>
            {cost === null && <PlainTokens facts={facts} />}
            {cost?.lines.map(({ kind, tokens, pricePicos, costPicos }) => (
              <Table.Tr key={kind}>
                <Table.Td>
                  {KINDS[kind]}
                  <Text fz="xs" c="dimmed">
                    {formatTokens(tokens)} × {formatPrice(pricePicos)}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">{formatPicos(costPicos)}</Table.Td>
              </Table.Tr>
            ))}
            <Table.Tr fw={600}>
              <Table.Td>Cost</Table.Td>
              <Table.Td ta="right">{formatCost(facts.costNanos)}</Table.Td>
            </Table.Tr>
            {isRouted && (
              <Table.Tr>
                <Table.Td>A plain call of the base model</Table.Td>
                <Table.Td ta="right">{formatCost(facts.baseCostNanos)}</Table.Td>
              </Table.Tr>
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Notes facts={facts} isLongPrompt={cost?.isLongPrompt ?? false} sum={sum} />
    </>
  );
}

function PlainTokens({ facts }: Pick<RequestDetails, "facts">) {
  const lines = [
    ["Prompt", facts.promptTokens],
    ["Answer", facts.outputTokens],
  ] as const;
  return lines.map(([name, tokens]) => (
    <Table.Tr key={name}>
      <Table.Td>{name}</Table.Td>
      <Table.Td ta="right">{formatTokens(tokens)}</Table.Td>
    </Table.Tr>
  ));
}

interface NotesProps extends Pick<RequestDetails, "facts"> {
  readonly isLongPrompt: boolean;
  /** What the lines add up to, in nano-dollars; undefined without prices. */
  readonly sum: number | undefined;
}

function Notes({ facts, isLongPrompt, sum }: NotesProps) {
  const notes = [
    (facts.reasoningTokens ?? 0) > 0 && `${formatTokens(facts.reasoningTokens)} of the answer are reasoning.`,
    isLongPrompt && "The prompt is long enough for the prices of long prompts.",
    sum === undefined && "The configuration has no prices for this model now, so that the cost cannot be written out.",
    sum !== undefined &&
      sum !== facts.costNanos &&
      `Today's prices add up to ${formatCost(sum)}: they have changed since. What counts is the cost that was recorded.`,
  ].filter((note) => note !== false);
  return notes.map((note) => (
    <Text key={note} fz="sm" c="dimmed">
      {note}
    </Text>
  ));
}
