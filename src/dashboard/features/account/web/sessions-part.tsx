import { Badge, Box, Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Outputs, queryClient, trpc } from "../../../web/api/trpc.ts";
import { Confirm } from "../../../web/parts/confirm.tsx";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatAgo, formatTime } from "../../../web/parts/format.ts";

type Session = Outputs["session"]["list"][number];

/** Lists the browsers that are signed in, and ends one session or all. */
export function SessionsPart() {
  const [isAsking, setIsAsking] = useState(false);
  const sessions = useQuery(trpc.session.list.queryOptions());
  const end = useMutation(trpc.session.end.mutationOptions());
  const endAll = useMutation(
    trpc.session.signOutEverywhere.mutationOptions({
      onSuccess: () => queryClient.resetQueries(),
      meta: { changes: [] },
    }),
  );
  return (
    <>
      <ErrorNote error={sessions.error} onRetry={() => void sessions.refetch()} />
      <DataTable table={TABLE} rows={sessions.data} context={{ end: (sessionId) => end.mutate({ sessionId }) }} />
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

const TABLE: TableDescription<Session, { readonly end: (id: string) => void }> = {
  caption: "Sessions",
  rowKey: ({ id }) => id,
  columns: [
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
      cell: ({ id, isThis, userAgent }, { end }) =>
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
  ],
};

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
