import { Box, Button, Group, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { trpc } from "../../../../web/api/trpc.ts";
import { Confirm } from "../../../../web/parts/confirm.tsx";
import { ManagedBadge } from "../../../../web/parts/managed-badge.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import { mayAct, useProject } from "../../../../web/shell/session.ts";
import type { WorkloadDetails } from "../types.ts";
import { toDraft } from "./control-draft.ts";
import { ControlsForm } from "./controls-form.tsx";
import { modeWords } from "./project-controls.tsx";

/** The controls of a workload; developers and above change them. */
export function WorkloadControls({ workload }: { readonly workload: WorkloadDetails }) {
  const { model, own, models, metrics, learned } = workload;
  const project = useProject();
  const mayChange = mayAct(project, "workloads.change");
  const [isAsking, { open, close }] = useDisclosure(false);
  const reset = useMutation(
    trpc.learning.reset.mutationOptions({
      onSuccess: () => {
        close();
        notifications.show({ color: "teal", message: `${nameText(model)} is reset` });
      },
    }),
  );
  return (
    <Box component="section" aria-label="Controls" className="attune-card" p="md">
      <Group gap="xs" mb="sm">
        <Title order={2} size="h4">
          Controls
        </Title>
        <ManagedBadge kind="learning" name={model} />
      </Group>
      <ControlsForm
        key={model}
        model={model}
        own={own}
        inherited={listInherited(workload)}
        models={models}
        metrics={metrics}
        mayChange={mayChange}
      >
        {learned !== null && learned.figures !== null && (
          <Button variant="default" onClick={open}>
            Reset…
          </Button>
        )}
      </ControlsForm>
      <Confirm
        isOpen={isAsking}
        title={`Reset the learned state of ${nameText(model)}?`}
        action="Reset the workload"
        isPending={reset.isPending}
        onConfirm={() => reset.mutate({ projectId: project.id, model })}
        onClose={close}
      >
        <Text fz="sm">
          Base answers at first, and Attune tries the other models again. Requests and feedback stay: a rebuild, on the
          page of all workloads, learns from them again.
        </Text>
      </Confirm>
    </Box>
  );
}

/** Returns the settings that the workload inherits. */
function listInherited({ ofProject, configured }: WorkloadDetails) {
  const mode = modeWords(ofProject.mode ?? configured.mode).label;
  const hold =
    ofProject.hold === "frozen"
      ? "frozen"
      : ofProject.hold === "pinned"
        ? `pinned to ${nameText(ofProject.pinned ?? "")}`
        : "free";
  return {
    mode: `As in the project (${mode})`,
    hold: `As in the project (${hold})`,
    metrics: toDraft(ofProject).metrics,
  };
}
