import { Button, Group, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import { api } from "../../../../api/client.ts";
import { mayAct, useProject } from "../../../../shell/session.ts";
import { AddToDataset } from "../../../datasets/add-to-dataset.tsx";
import type { RequestDetails } from "../../types.ts";
import { CodeButton } from "./code-button.tsx";
import { ComparePart } from "./compare-part.tsx";
import { PlaygroundButton } from "./playground-button.tsx";

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
