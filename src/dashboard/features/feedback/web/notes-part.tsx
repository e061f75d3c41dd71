import { Box, Group, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconNote, IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../../web/api/trpc.ts";
import { Clamped } from "../../../web/parts/clamped.tsx";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatAgo, formatNumber, formatTime } from "../../../web/parts/format.ts";
import { MoreButton } from "../../../web/parts/more-button.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { RequestLink } from "../../../web/parts/request-link.tsx";
import { useProject } from "../../../web/shell/session.ts";
import type { FeedbackEntry } from "./types.ts";

const WAIT_MS = 300;
const PAGE_SIZE = 20;

/** Notes to read, the newest first, and a search in them. */
export function NotesPart() {
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text.trim(), WAIT_MS);
  const { id: projectId } = useProject();
  const notes = useInfiniteQuery(
    trpc.feedback.notes.infiniteQueryOptions(
      { projectId, limit: PAGE_SIZE, text: searched },
      { getNextPageParam: ({ next }) => next, placeholderData: keepPreviousData },
    ),
  );
  const pages = notes.data?.pages;
  const found = pages?.flatMap(({ entries }) => entries);
  const read = pages?.reduce((sum, page) => sum + page.searched, 0) ?? 0;
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        aria-label="Search notes"
        placeholder="Search notes"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        maw={420}
      />
      <ErrorNote error={notes.error} onRetry={() => void notes.refetch()} />
      {found === undefined && !notes.isError && <Skeleton h={120} />}
      {found?.length === 0 && !notes.hasNextPage && (
        <Box className="attune-card">
          <EmptyState
            Icon={IconNote}
            title={searched === "" ? "No notes yet" : "No note has this text"}
            text={
              searched === ""
                ? 'A text in feedback is a note: {"comment": "too long"}.'
                : "The search looks for the exact text and ignores case."
            }
          />
        </Box>
      )}
      {found?.map((note) => (
        <Note key={note.id} note={note} />
      ))}
      {searched !== "" && found !== undefined && (
        <Text fz="sm" c="dimmed" aria-live="polite">
          {formatNumber(found.length)} found in the latest {formatNumber(read)} notes.
        </Text>
      )}
      <MoreButton pages={notes}>{searched === "" ? "Show older ones" : "Search older ones"}</MoreButton>
    </Stack>
  );
}

function Note({ note }: { readonly note: FeedbackEntry }) {
  const { name, value, model, workload, createdAt, inferenceId, tags } = note;
  const facts = [name, model, workload, ...Object.entries(tags).map(([tag, text]) => `${tag}: ${text}`)].map(nameText);
  return (
    <Box component="article" className="attune-card" p="md">
      <Clamped text={String(value)} />
      <Group justify="space-between" gap="xs" mt="xs">
        <Text fz="xs" c="dimmed" title={formatTime(createdAt)} lineClamp={2} style={{ overflowWrap: "anywhere" }}>
          {[...facts.filter((fact) => fact !== ""), formatAgo(createdAt)].join(" · ")}
        </Text>
        <RequestLink id={inferenceId}>Open the request</RequestLink>
      </Group>
    </Box>
  );
}
