import { Box, Group, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { formatCost, formatDuration, formatNumber, formatTokens, markEstimate } from "../../../parts/format.ts";
import { RequestLink } from "../../../parts/request-link.tsx";
import type { Exchange } from "../exchange.ts";
import type { TokenUsage } from "../formats/answer.ts";

/** Records are written behind the answer: they are asked for until they are there. */
const AGAIN_MS = 400;
const MOST_TRIES = 25;

type Facts = Awaited<ReturnType<typeof api.playground.facts.query>>;

/** Shows what a call took and cost, as it is recorded. */
export function FactsPart({ exchange }: { readonly exchange: Exchange }) {
  const { answer, servedBy, request } = exchange;
  const facts = useQuery({
    queryKey: ["playground-facts", request.projectId, answer.id],
    queryFn: () => api.playground.facts.query({ projectId: request.projectId, inferenceId: answer.id }),
    enabled: answer.id !== "",
    refetchInterval: ({ state }) => (state.data || state.dataUpdateCount > MOST_TRIES ? false : AGAIN_MS),
  });
  if (answer.id === "") return null;
  const { data } = facts;
  const losses = data?.translationLosses ?? [];
  return (
    <Box pt="md" style={{ borderTop: "1px solid var(--attune-border)" }}>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
        <Fact label="Tokens in">{tokensIn(answer.usage)}</Fact>
        <Fact label="Tokens out">{tokensOut(answer.usage)}</Fact>
        <Fact label="Cost">{data ? costOf(data) : "…"}</Fact>
        <Fact label="Latency">{data ? formatDuration(data.latencyMs) : "…"}</Fact>
        <Fact label="First token after">{data ? formatDuration(data.timeToFirstTokenMs) : "…"}</Fact>
        <Fact label="Served by">{data?.upstream || servedBy || "…"}</Fact>
        <Fact label="Ended with">{answer.finish || data?.status || "…"}</Fact>
      </SimpleGrid>
      {losses.length > 0 && (
        <Text fz="sm" mt="sm">
          Lost in translation: {losses.join(", ")}
        </Text>
      )}
      <Group mt="sm">
        <RequestLink id={answer.id}>Open this request in the history</RequestLink>
      </Group>
    </Box>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Box>
      <Text fz="xs" c="dimmed" fw={500}>
        {label}
      </Text>
      <Text fz="sm" component="div" style={{ overflowWrap: "anywhere" }}>
        {children}
      </Text>
    </Box>
  );
}

function costOf({ costNanos, usageEstimated }: NonNullable<Facts>): string {
  return costNanos == null ? "not known" : markEstimate(formatCost(costNanos), usageEstimated);
}

function tokensIn(usage: TokenUsage | undefined): string {
  if (usage === undefined) return "not told";
  const cached = usage.cachedTokens > 0 ? ` (${formatNumber(usage.cachedTokens)} cached)` : "";
  return `${formatTokens(usage.inputTokens)}${cached}`;
}

function tokensOut(usage: TokenUsage | undefined): string {
  if (usage === undefined) return "not told";
  const thought = usage.reasoningTokens > 0 ? ` (${formatNumber(usage.reasoningTokens)} thinking)` : "";
  return `${formatTokens(usage.outputTokens)}${thought}`;
}
