import { Box, Group, Text } from "@mantine/core";
import { formatLatency } from "../../../parts/format.ts";
import type { RequestDetails } from "../types.ts";
import { Section } from "./section.tsx";

const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });

/** When it began, and how long it took. */
export function TimingPart({ facts }: Pick<RequestDetails, "facts">) {
  const { startedAt, latencyMs, timeToFirstTokenMs } = facts;
  const first = timeToFirstTokenMs ?? undefined;
  const share = first === undefined || latencyMs === 0 ? 1 : Math.min(1, first / latencyMs);
  return (
    <Section title="Timing">
      <Text fz="sm">Started {exact.format(new Date(startedAt))}</Text>
      <div className="attune-timing" aria-hidden>
        <Box w={`${share * 100}%`} bg="indigo.3" />
        <Box flex={1} bg={first === undefined ? "indigo.3" : "teal.6"} />
      </div>
      <Group justify="space-between" gap="xs">
        <Text fz="sm">{first === undefined ? "No token came" : `First token after ${formatLatency(first)}`}</Text>
        <Text fz="sm">Total {formatLatency(latencyMs)}</Text>
      </Group>
    </Section>
  );
}
