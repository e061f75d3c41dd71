import { Alert, Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconShieldLock } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { mayAct, useProject } from "../../../shell/session.ts";

type Bodies = Awaited<ReturnType<typeof api.projectSettings.read.query>>["bodies"];

const CHOICES: readonly { readonly value: Bodies; readonly label: string; readonly text: string }[] = [
  { value: "full", label: "Keep", text: "What was asked and answered is kept whole." },
  {
    value: "redacted",
    label: "Redact texts",
    text: "Who spoke, which tools were called and how long each text was is kept; the texts and files are not.",
  },
  { value: "none", label: "Off", text: "Only the facts are kept: model, tokens, cost, times, status." },
];

/** Shows, and lets owners set, what is kept of requests and answers. */
export function BodiesSetting() {
  const project = useProject();
  const [isOpen, { open, close }] = useDisclosure(false);
  const settings = useQuery({
    queryKey: ["project-settings", project.id],
    queryFn: () => api.projectSettings.read.query({ projectId: project.id }),
  });
  const bodies = settings.data?.bodies;
  const label = CHOICES.find(({ value }) => value === bodies)?.label;
  return (
    <>
      <Button variant="default" onClick={open} leftSection={<IconShieldLock size={16} aria-hidden />}>
        Texts: {label?.toLowerCase() ?? "…"}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="What is kept of requests and answers"
        centered
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />
        {bodies !== undefined && <BodiesForm current={bodies} isOwner={mayAct(project, "owner")} onDone={close} />}
      </Modal>
    </>
  );
}

interface FormProps {
  readonly current: Bodies;
  readonly isOwner: boolean;
  readonly onDone: () => void;
}

function BodiesForm({ current, isOwner, onDone }: FormProps) {
  const { id: projectId } = useProject();
  const client = useQueryClient();
  const [bodies, setBodies] = useState<Bodies>(current);
  const save = useMutation({
    mutationFn: () => api.projectSettings.setBodies.mutate({ projectId, bodies }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["project-settings", projectId] });
      notifications.show({
        color: "teal",
        message: "Saved: it holds for requests from now on, everywhere in a second",
      });
      onDone();
    },
    meta: { showsError: true },
  });
  return (
    <Stack>
      <Radio.Group
        value={bodies}
        onChange={(value) => setBodies(CHOICES.find((choice) => choice.value === value)?.value ?? bodies)}
        label="From now on, in this project"
      >
        <Stack gap="sm" mt="xs">
          {CHOICES.map(({ value, label, text }) => (
            <Radio key={value} value={value} label={label} description={text} disabled={!isOwner} />
          ))}
        </Stack>
      </Radio.Group>
      {bodies !== "full" && (
        <Alert color="indigo" title="Responses cannot be stored then">
          Without their texts, <code>previous_response_id</code> and <code>GET /v1/responses/…</code> do not work for
          what is asked from then on: clients have to send the whole conversation. Searching in texts finds nothing
          either.
        </Alert>
      )}
      <Text fz="sm" c="dimmed">
        What is already kept stays until it is deleted or too old.
        {isOwner ? "" : " Only owners of the project change this."}
      </Text>
      <ErrorNote error={save.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {isOwner ? "Cancel" : "Close"}
        </Button>
        {isOwner && (
          <Button disabled={bodies === current} loading={save.isPending} onClick={() => save.mutate()}>
            Save
          </Button>
        )}
      </Group>
    </Stack>
  );
}
