import { Box, Chip, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import { keepPrevious } from "../../../web/api/keep-previous.ts";
import { trpc } from "../../../web/api/trpc.ts";
import type { Range } from "../../../web/figures/range.ts";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatNumber, formatTime } from "../../../web/parts/format.ts";
import { useProject } from "../../../web/shell/session.ts";
import { DEFAULT, DIMENSIONS, type Dimension, readDimensions } from "./dimensions.ts";
import { GroupsTable } from "./groups-table.tsx";
import type { ErrorGroups } from "./types.ts";

interface Props {
  readonly range: Range;
  readonly intervalMs: number | false;
}

/** Failed and refused calls by what they have in common; which dimensions tell them apart is chosen. */
export function GroupsPart({ range, intervalMs }: Props) {
  const [by, toggle] = useDimensions();
  const { id: projectId } = useProject();
  const groups = useQuery(
    trpc.errors.groups.queryOptions(
      { projectId, ...range, by: [...by] },
      { placeholderData: keepPrevious({ projectId }), refetchInterval: intervalMs },
    ),
  );
  const note = describeRest(groups.data);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4" mt="xs">
        Where calls failed
      </Title>
      <Group gap="xs" role="group" aria-label="Group by">
        <Text fz="sm" c="dimmed" aria-hidden>
          Group by
        </Text>
        {DIMENSIONS.map(({ value, label }) => (
          <Chip key={value} checked={by.includes(value)} onChange={() => toggle(value)} size="xs" variant="outline">
            {label}
          </Chip>
        ))}
      </Group>
      {note !== "" && (
        <Text fz="sm" c="dimmed">
          {note}
        </Text>
      )}
      <ErrorNote error={groups.error} onRetry={() => void groups.refetch()} />
      {(groups.data !== undefined || !groups.isError) && (
        <Box className={groups.isPlaceholderData ? "attune-stale" : ""} aria-busy={groups.isPlaceholderData}>
          <GroupsTable data={groups.data} by={by} />
        </Box>
      )}
    </Stack>
  );
}

/** Says what is not in the table. */
function describeRest(data: ErrorGroups | undefined): string {
  if (data === undefined) return "";
  const { groups, groupCount, latestCalls, fromMs } = data;
  const isCut = groups.length < groupCount;
  const latest = `Of the latest ${formatNumber(latestCalls)} failed calls, since ${formatTime(new Date(fromMs))}.`;
  const most = `The ${formatNumber(groups.length)} of ${formatNumber(groupCount)} combinations with the most calls.`;
  return [latestCalls === null ? [] : latest, isCut ? most : []].flat().join(" ");
}

/** Returns the dimensions that the address names, and what adds one there or takes it away. */
function useDimensions(): readonly [readonly Dimension[], (dimension: Dimension) => void] {
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.get("by");
  const dimensions = useMemo(() => readDimensions(text), [text]);
  const toggle = useCallback(
    (dimension: Dimension) => {
      // What is drawn may be behind a click of a moment ago; the address is not.
      const changed = new URLSearchParams(window.location.search);
      const now = readDimensions(changed.get("by"));
      const isOn = now.includes(dimension);
      if (isOn && now.length === 1) return;
      const by = readDimensions((isOn ? now.filter((own) => own !== dimension) : [...now, dimension]).join(",")).join();
      if (by === DEFAULT.join()) changed.delete("by");
      else changed.set("by", by);
      setParameters(changed);
    },
    [setParameters],
  );
  return [dimensions, toggle];
}
