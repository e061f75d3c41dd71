import { Anchor, Button, Group, Image, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../../web/api/client.ts";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import type { FileData } from "../types.ts";
import { fileName } from "./file-name.ts";
import { useRequestPlace } from "./use-request.ts";

/** Characters of one answer of the service. */
const PIECE_LENGTH = 10_000_000;

interface Props {
  /** The kind of file: "Image". */
  readonly what: string;
  /** The file's name, if its sender gave one. */
  readonly name?: string | undefined;
  readonly file: FileData;
}

/** Forms that a browser draws without running anything. */
const DRAWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Larger ones are not drawn. */
const MAX_DRAWN_BYTES = 7_000_000;

/** A file of a request: nothing of it is loaded before someone asks. */
export function FileView({ what, name, file }: Props) {
  return (
    <div className="attune-block">
      <Group gap="sm">
        <Text fz="sm" fw={500}>
          {name === undefined ? what : `${what}: ${nameText(name)}`}
        </Text>
        {file.at === "request" && <InlineFile what={what} name={name ?? what} file={file} />}
        {file.at === "url" && <FileAddress url={file.url} />}
        {file.at === "upstream" && (
          <Text fz="sm" c="dimmed" className="attune-text">
            file {file.fileId} at the upstream
          </Text>
        )}
      </Group>
    </div>
  );
}

interface InlineProps {
  readonly what: string;
  readonly name: string;
  readonly file: Extract<FileData, { at: "request" }>;
}

function InlineFile({ what, name, file }: InlineProps) {
  const place = useRequestPlace();
  const [drawn, setDrawn] = useState<string>();
  const show = useMutation({
    mutationFn: () => loadFile(place, file.part),
    onSuccess: setDrawn,
    meta: { showsError: true },
  });
  const save = useMutation({
    mutationFn: async () => saveFile(drawn ?? (await loadFile(place, file.part)), fileName(name, file.mediaType)),
    meta: { showsError: true },
  });
  const canDraw = DRAWN.has(file.mediaType) && file.bytes <= MAX_DRAWN_BYTES;
  return (
    <>
      <Text fz="sm" c="dimmed">
        {file.mediaType || "no media type"}, {formatBytes(file.bytes)}
      </Text>
      {canDraw && drawn === undefined && (
        <Button size="compact-sm" variant="default" loading={show.isPending} onClick={() => show.mutate()}>
          Show
        </Button>
      )}
      <Button size="compact-sm" variant="default" loading={save.isPending} onClick={() => save.mutate()}>
        Save
      </Button>
      {drawn !== undefined && (
        <Image
          src={`data:${file.mediaType};base64,${drawn}`}
          alt={`${what} of the request`}
          mah={360}
          w="auto"
          maw="100%"
          fit="contain"
          radius="sm"
        />
      )}
      <ErrorNote error={show.error} onRetry={() => show.mutate()} />
      <ErrorNote error={save.error} onRetry={() => save.mutate()} />
    </>
  );
}

/** The address of a file. Callers write it, so only an http or https address becomes a link. */
function FileAddress({ url }: { readonly url: string }) {
  const isWeb = /^https?:\/\//i.test(url);
  return (
    <Text fz="sm" style={{ overflowWrap: "anywhere" }}>
      {isWeb ? (
        <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow" fz="sm" underline="always">
          {nameText(url)}
        </Anchor>
      ) : (
        nameText(url)
      )}
    </Text>
  );
}

/** Writes a size: 850 B, 12.3 kB, 4 MB. */
function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Number((bytes / 1000).toPrecision(3))} kB`;
  return `${Number((bytes / 1_000_000).toPrecision(3))} MB`;
}

/** Loads all of a file of a request, as base64. */
async function loadFile(place: { readonly projectId: string; readonly id: string }, part: number) {
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const { text, length } = await api.history.part.query({ ...place, part, from, length: PIECE_LENGTH });
    pieces.push(text);
    from += text.length;
    if (from >= length || text === "") return pieces.join("");
  }
}

/** Has the browser save a file. It is never opened: a stranger has made it. Throws an Error of what is no base64. */
function saveFile(base64: string, name: string): void {
  const file = new Blob([decode(base64)], { type: "application/octet-stream" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    throw new Error("The request says that this is base64, but it is not.");
  }
}
