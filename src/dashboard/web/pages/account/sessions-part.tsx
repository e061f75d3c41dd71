import { Badge, Box, Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatAgo, formatTime } from "../../parts/format.ts";

type Session = Awaited<ReturnType<typeof api.session.list.query>>[number];

/** Lists the browsers that are signed in, and ends one session or all. */
export function SessionsPart() {
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const sessions = useQuery({ queryKey: ["sessions"], queryFn: () => api.session.list.query() });
  const end = useMutation({
    mutationFn: (sessionId: string) => api.session.end.mutate({ sessionId }),
    onSettled: () => client.invalidateQueries({ queryKey: ["sessions"] }),
  });
  const endAll = useMutation({
    mutationFn: () => api.session.signOutEverywhere.mutate(),
    onSuccess: () => client.resetQueries(),
  });
  return (
    <>
      <ErrorNote error={sessions.error} onRetry={() => void sessions.refetch()} />
      <DataTable
        caption="Sessions"
        columns={columns((id) => end.mutate(id))}
        rows={sessions.data}
        keyOf={({ id }) => id}
      />
      <Box>
        <Button variant="default" onClick={() => setIsAsking(true)}>
          Sign out everywhere
        </Button>
      </Box>
      <Confirm
        isOpen={isAsking}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        isPending={endAll.isPending}
        onConfirm={() => endAll.mutate()}
        onClose={() => setIsAsking(false)}
      >
        Every browser that is signed in with this account is signed out, this one too. API keys go on working.
      </Confirm>
    </>
  );
}

function columns(end: (id: string) => void): Column<Session>[] {
  return [
    {
      heading: "Browser",
      cell: ({ userAgent, isThis }) => (
        <Group gap="xs" wrap="nowrap">
          <Text fz="sm" fw={500} title={userAgent}>
            {browserName(userAgent)}
          </Text>
          {isThis && (
            <Badge size="sm" variant="default">
              this one
            </Badge>
          )}
        </Group>
      ),
    },
    { heading: "Address", cell: ({ address }) => <Text fz="sm">{address}</Text>, isMinor: true },
    {
      heading: "Last seen",
      cell: ({ lastSeenAt }) => (
        <Text fz="sm" className="attune-nowrap">
          {formatAgo(lastSeenAt)}
        </Text>
      ),
    },
    {
      heading: "Signed in",
      cell: ({ createdAt }) => (
        <Text fz="sm" className="attune-nowrap">
          {formatTime(createdAt)}
        </Text>
      ),
      isMinor: true,
    },
    {
      heading: "Actions",
      isAction: true,
      cell: ({ id, isThis, userAgent }) =>
        !isThis && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => end(id)}
            aria-label={`Sign out ${browserName(userAgent)}`}
          >
            Sign out
          </Button>
        ),
    },
  ];
}

const BROWSERS = [
  ["Edge", /\bEdg\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\bFirefox\//],
  ["Chrome", /Chrom(?:e|ium)\//],
  ["Safari", /\bSafari\//],
] as const;

const SYSTEMS = [
  ["Android", /\bAndroid\b/],
  ["iPhone or iPad", /\b(?:iPhone|iPad)\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** Names a browser and its system by what it calls itself. */
function browserName(userAgent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? "Unknown browser";
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}
