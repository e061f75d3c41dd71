import { Button, Group, SegmentedControl, Skeleton, Text } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../../web/api/client.ts";
import { trpc } from "../../../../web/api/trpc.ts";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { formatNumber } from "../../../../web/parts/format.ts";
import { exportAddress } from "../list/export-button.tsx";
import { Section } from "./section.tsx";
import { useRequestPlace } from "./use-request.ts";

/** More than this is for a file. */
const MAX_LENGTH = 5_000_000;

const PIECE_LENGTH = 50_000;

/** The JSON of what was asked and answered, loaded once someone asks for it. */
export function RawPart() {
  const { projectId, id } = useRequestPlace();
  const [side, setSide] = useState<"request" | "answer">();
  const address = exportAddress(projectId, { text: id });
  return (
    <Section title="Raw JSON" isMinor>
      <Group justify="space-between">
        <SegmentedControl
          aria-label="Raw JSON of"
          size="xs"
          value={side ?? "none"}
          onChange={(value) => setSide(value === "request" || value === "answer" ? value : undefined)}
          data={[
            { value: "none", label: "Hidden" },
            { value: "request", label: "Request" },
            { value: "answer", label: "Answer" },
          ]}
        />
        <Button component="a" href={address} download variant="default" size="compact-sm">
          Download all
        </Button>
      </Group>
      {side !== undefined && <RawJson key={side} side={side} />}
    </Section>
  );
}

function RawJson({ side }: { readonly side: "request" | "answer" }) {
  const place = useRequestPlace();
  const raw = useInfiniteQuery({
    // It goes on by places in a text, which are no cursor.
    queryKey: [...trpc.history.raw.pathKey(), place, side],
    queryFn: ({ pageParam }) => api.history.raw.query({ ...place, side, from: pageParam, length: PIECE_LENGTH }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { text }) => sum + text.length, 0);
      return shown < last.length ? shown : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (raw.isPending) return <Skeleton h={120} />;
  const pieces = raw.data?.pages.map(({ text }) => text) ?? [];
  const length = raw.data?.pages[0]?.length ?? 0;
  const shown = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return (
    <>
      <ErrorNote error={raw.error} onRetry={() => void raw.refetch()} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard */}
      <pre className="attune-code attune-wrapped" tabIndex={0}>
        {pieces.map((piece, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added at the end
          <span key={index}>{piece}</span>
        ))}
      </pre>
      <Group gap="sm">
        <CopyAll side={side} length={length} />
        {raw.hasNextPage && (
          <Button
            size="compact-sm"
            variant="default"
            loading={raw.isFetchingNextPage}
            onClick={() => void raw.fetchNextPage()}
          >
            Show more
          </Button>
        )}
        <Text fz="xs" c="dimmed">
          {shown < length ? `${formatNumber(shown)} of ` : ""}
          {formatNumber(length)} characters
        </Text>
      </Group>
    </>
  );
}

interface Props {
  readonly side: "request" | "answer";
  /** Characters that there are. */
  readonly length: number;
}

/** Copies the whole JSON, also what is not shown yet. */
function CopyAll({ side, length }: Props) {
  const place = useRequestPlace();
  const { copy, copied } = useClipboard({ timeout: 2000 });
  const load = useMutation({
    mutationFn: () => api.history.raw.query({ ...place, side, from: 0, length: MAX_LENGTH }),
    onSuccess: ({ text }) => copy(text),
  });
  if (length > MAX_LENGTH) return null;
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon size={14} aria-hidden />}
      loading={load.isPending}
      onClick={() => load.mutate()}
      aria-live="polite"
    >
      {copied ? "Copied" : "Copy"}
    </Button>
  );
}
