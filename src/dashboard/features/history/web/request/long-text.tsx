import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api } from "../../../../web/api/client.ts";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { formatNumber } from "../../../../web/parts/format.ts";
import { Markdown } from "../../../../web/parts/markdown/markdown.tsx";
import { useTextView } from "../../../../web/parts/use-text-view.ts";
import type { TextData } from "../types.ts";
import { indentJson } from "./indent-json.ts";
import { useRequestPlace } from "./use-request.ts";

interface Props {
  readonly text: TextData;
  /** True if it is code: shown as it stands, and as JSON with line breaks where it is that. */
  readonly isCode?: boolean;
}

/** Characters that come at a time: more would hold the browser up. */
const PIECE_LENGTH = 50_000;

interface ProseProps {
  /** The whole text; undefined while a part of it is missing. */
  readonly text: string | undefined;
  /** The text as it came. */
  readonly children: ReactNode;
}

/** A text of the conversation, with its Markdown where it is all there and people want that. */
function Prose({ text, children }: ProseProps) {
  const [view] = useTextView();
  if (view === "plain" || text === undefined) return <div className="attune-text">{children}</div>;
  return <Markdown text={text} />;
}

/** A text whose beginning is shown, and the rest on demand, piece by piece. */
export function LongText({ text, isCode = false }: Props) {
  const place = useRequestPlace();
  const [pieces, setPieces] = useState<readonly string[]>([text.start]);
  const shown = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const more = useMutation({
    mutationFn: () => api.history.part.query({ ...place, part: text.part, from: shown, length: PIECE_LENGTH }),
    onSuccess: (piece) => setPieces((old) => [...old, piece.text]),
    meta: { showsError: true },
  });
  if (text.length === 0) {
    return (
      <Text c="dimmed" fz="sm" fs="italic">
        empty
      </Text>
    );
  }
  const only = shown === text.length && isCode ? indentJson(pieces.join("")) : undefined;
  // Pieces are only ever added at the end, so that their place tells them apart.
  const parts = only === undefined ? pieces : [only];
  const body = parts.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <span key={index} className={index === 0 ? undefined : "attune-piece"}>
      {piece}
    </span>
  ));
  return (
    <>
      {isCode ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard
        <pre className="attune-code attune-wrapped" tabIndex={0}>
          {body}
        </pre>
      ) : (
        <Prose text={shown === text.length ? pieces.join("") : undefined}>{body}</Prose>
      )}
      {shown < text.length && (
        <Group gap="sm" mt={6}>
          <Button size="compact-sm" variant="default" loading={more.isPending} onClick={() => more.mutate()}>
            Show more
          </Button>
          <Text fz="xs" c="dimmed">
            {formatNumber(shown)} of {formatNumber(text.length)} characters
          </Text>
        </Group>
      )}
      <ErrorNote error={more.error} onRetry={() => more.mutate()} />
    </>
  );
}
