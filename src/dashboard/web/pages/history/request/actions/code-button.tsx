import { Button, Modal, Skeleton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCode } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../../../api/trpc.ts";
import { ErrorNote } from "../../../../parts/error-note.tsx";
import type { JsonObject } from "../../../playground/formats/json.ts";
import { CodePart } from "../../../playground/parts/code-part.tsx";
import { useRequestPlace } from "../use-request.ts";

/** Shows the request as a call of curl, Python or TypeScript, in the format that it came in. */
export function CodeButton() {
  const place = useRequestPlace();
  const [isOpen, { open, close }] = useDisclosure(false);
  const sent = useQuery(
    trpc.history.asSent.queryOptions(place, { enabled: isOpen, staleTime: Number.POSITIVE_INFINITY }),
  );
  return (
    <>
      <Button variant="default" onClick={open} leftSection={<IconCode size={16} aria-hidden />}>
        Copy as code
      </Button>
      <Modal opened={isOpen} onClose={close} title="The request as code" size="xl">
        <ErrorNote error={sent.error} onRetry={() => void sent.refetch()} />
        {sent.isPending && <Skeleton h={240} />}
        {sent.data !== undefined && (
          <CodePart
            note="This request, in the format that it came in, not streamed."
            request={{ ...sent.data, projectId: place.projectId, body: JSON.parse(sent.data.text) as JsonObject }}
          />
        )}
      </Modal>
    </>
  );
}
