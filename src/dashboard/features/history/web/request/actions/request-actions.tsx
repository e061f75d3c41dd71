import { Button, Group, Modal, Skeleton, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconCode, IconMessageCode, IconRefresh } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api } from "../../../../../web/api/client.ts";
import { trpc } from "../../../../../web/api/trpc.ts";
import { ErrorNote } from "../../../../../web/parts/error-note.tsx";
import { mayAct, useProject } from "../../../../../web/shell/session.ts";
import { AddToDataset } from "../../../../datasets/web/add-to-dataset.tsx";
import type { JsonObject } from "../../../../playground/web/formats/json.ts";
import { CodePart } from "../../../../playground/web/parts/code-part.tsx";
import { leaveDraft } from "../../../../playground/web/use-draft.ts";
import type { RequestDetails } from "../../types.ts";
import { useRequestPlace } from "../use-request.ts";
import { ComparePart } from "./compare-part.tsx";
import { toDraft } from "./to-draft.ts";

/** The actions on a request whose texts are stored. */
export function RequestActions({ request }: { readonly request: RequestDetails }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const project = useProject();
  const mayCall = mayAct(project, "playground.call");
  if (request.content === null || request.isRedacted) return null;
  return (
    <Stack gap="md">
      <Group gap="sm" className="attune-request-actions">
        {mayCall && (
          <Button
            variant={isOpen ? "default" : "filled"}
            onClick={toggle}
            aria-expanded={isOpen}
            leftSection={<IconRefresh size={16} aria-hidden />}
          >
            Run again
          </Button>
        )}
        {mayCall && <PlaygroundButton />}
        <CodeButton />
        {mayCall && (
          <AddToDataset
            what="This request is added."
            add={(datasetId) =>
              api.datasets.add.mutate({ projectId: project.id, id: datasetId, inferenceIds: [request.facts.id] })
            }
          />
        )}
      </Group>
      {isOpen && <ComparePart request={request} />}
    </Stack>
  );
}

/** Shows the request as a call of curl, Python or TypeScript, in the format that it came in. */
function CodeButton() {
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

/** Opens the playground with the request. */
function PlaygroundButton() {
  const project = useProject();
  const place = useRequestPlace();
  const navigate = useNavigate();
  const load = useMutation({
    mutationFn: async () => {
      const [own, chat] = await Promise.all([
        api.history.asSent.query(place),
        api.history.asSent.query({ ...place, format: "chat" }),
      ]);
      return toDraft(JSON.parse(chat.text), own.format, own.workload);
    },
    onSuccess: ({ draft, leftOut }) => {
      leaveDraft(project.id, draft);
      if (leftOut > 0) {
        const what = leftOut === 1 ? "One part is" : `${leftOut} parts are`;
        notifications.show({
          message: `${what} left out: the playground supports text, but not pictures or tool results.`,
        });
      }
      void navigate(`/projects/${project.id}/playground`);
    },
  });
  return (
    <Button
      variant="default"
      loading={load.isPending}
      onClick={() => load.mutate()}
      leftSection={<IconMessageCode size={16} aria-hidden />}
    >
      Open in the playground
    </Button>
  );
}
