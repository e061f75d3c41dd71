import { Anchor, Button, Group, Image, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { ErrorNote } from "../../../parts/error-note.tsx";
import type { FileData } from "../types.ts";
import { formatBytes } from "./format-bytes.ts";
import { useRequestPlace } from "./use-request.ts";

interface Props {
  /** What it is: Image. */
  readonly what: string;
  readonly file: FileData;
}

/** Forms that a browser draws without running anything. */
const DRAWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Larger ones are not drawn. */
const MAX_DRAWN_BYTES = 7_000_000;

/** A file of a request: nothing of it is loaded before someone asks. */
export function FileView({ what, file }: Props) {
  return (
    <div className="attune-block">
      <Group gap="sm">
        <Text fz="sm" fw={500}>
          {what}
        </Text>
        {file.at === "request" && <InlineFile what={what} file={file} />}
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

function InlineFile({ what, file }: { readonly what: string; readonly file: Extract<FileData, { at: "request" }> }) {
  const place = useRequestPlace();
  const load = useMutation({
    mutationFn: () => api.history.part.query({ ...place, part: file.part, length: 10_000_000 }),
    meta: { showsError: true },
  });
  const canDraw = DRAWN.has(file.mediaType) && file.bytes <= MAX_DRAWN_BYTES;
  return (
    <>
      <Text fz="sm" c="dimmed">
        {file.mediaType || "no media type"}, {formatBytes(file.bytes)}
      </Text>
      {canDraw && load.data === undefined && (
        <Button size="compact-sm" variant="default" loading={load.isPending} onClick={() => load.mutate()}>
          Show
        </Button>
      )}
      {load.data !== undefined && (
        <Image
          src={`data:${file.mediaType};base64,${load.data.text}`}
          alt={`${what} of the request`}
          mah={360}
          w="auto"
          maw="100%"
          fit="contain"
          radius="sm"
        />
      )}
      <ErrorNote error={load.error} onRetry={() => load.mutate()} />
    </>
  );
}

/** What a stranger wrote: only an address of the web becomes a link. */
function FileAddress({ url }: { readonly url: string }) {
  const isWeb = /^https?:\/\//i.test(url);
  return (
    <Text fz="sm" style={{ overflowWrap: "anywhere" }}>
      {isWeb ? (
        <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow" fz="sm" underline="always">
          {url}
        </Anchor>
      ) : (
        url
      )}
    </Text>
  );
}
