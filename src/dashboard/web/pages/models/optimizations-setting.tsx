import { Button, Group, Modal, Stack, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconBolt } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { ErrorNote } from "../../parts/error-note.tsx";
import { mayAct, useProject } from "../../shell/session.ts";

type Name = Parameters<typeof api.projectSettings.setOptimizations.mutate>[0]["off"][number];

const CHOICES: Record<Name, { readonly label: string; readonly text: string }> = {
  choice: {
    label: "Choice of deployments",
    text: "Of a model's deployments the better one is asked: by speed, load, price and what its cache holds.",
  },
  failover: { label: "Failover", text: "The next deployment is asked where one fails before its answer began." },
  hedging: { label: "Hedging", text: "A second deployment is asked where the first is slow to begin a stream." },
  coalescing: {
    label: "Shared answers",
    text: "Identical requests at temperature 0 or with a seed that come at the same time are one call.",
  },
  cacheMarks: {
    label: "Cache marks",
    text: "Prompts that are likely to come again are marked for the caches of the Messages format.",
  },
  cacheKeys: {
    label: "Cache keys",
    text: "Prompts that begin alike have one key for the caches of the OpenAI formats.",
  },
  replay: {
    label: "Kept answers",
    text: "Identical requests at temperature 0 or with a seed are answered with what was answered before, for models that are configured so.",
  },
  checkedRetry: {
    label: "Retry by check",
    text: "Where an answer is not the JSON or the tool calls that were asked for, the model is asked once more, for models that are configured so.",
  },
};
const NAMES = Object.keys(CHOICES) as Name[];

/** Shows, and lets owners set, what may be done to answer the project's calls cheaper and faster with the same model. */
export function OptimizationsSetting() {
  const project = useProject();
  const [isOpen, { open, close }] = useDisclosure(false);
  const settings = useQuery({
    queryKey: ["project-settings", project.id],
    queryFn: () => api.projectSettings.read.query({ projectId: project.id }),
  });
  const off = settings.data && NAMES.filter((name) => settings.data.optimizationsOff.includes(name));
  return (
    <>
      <Button variant="default" onClick={open} leftSection={<IconBolt size={16} aria-hidden />}>
        Optimisations: {off === undefined ? "…" : off.length === 0 ? "as configured" : `${off.length} off`}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Cheaper and faster, with the same model"
        centered
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />
        {off !== undefined && <Switches current={off} isOwner={mayAct(project, "owner")} onDone={close} />}
      </Modal>
    </>
  );
}

interface SwitchesProps {
  readonly current: readonly Name[];
  readonly isOwner: boolean;
  readonly onDone: () => void;
}

function Switches({ current, isOwner, onDone }: SwitchesProps) {
  const { id: projectId } = useProject();
  const client = useQueryClient();
  const [off, setOff] = useState(current);
  const save = useMutation({
    mutationFn: () => api.projectSettings.setOptimizations.mutate({ projectId, off: [...off] }),
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
  const change = (name: Name, isOn: boolean) =>
    setOff(NAMES.filter((each) => (each === name ? !isOn : off.includes(each))));
  return (
    <Stack>
      {NAMES.map((name) => (
        <Switch
          key={name}
          label={CHOICES[name].label}
          description={CHOICES[name].text}
          checked={!off.includes(name)}
          disabled={!isOwner}
          onChange={(event) => change(name, event.currentTarget.checked)}
        />
      ))}
      <Text fz="sm" c="dimmed">
        What is on goes by the configuration of each model, and a call with <code>attune-optimize: off</code> has none.
        {isOwner ? "" : " Only owners of the project change this."}
      </Text>
      <ErrorNote error={save.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {isOwner ? "Cancel" : "Close"}
        </Button>
        {isOwner && (
          <Button disabled={off.join() === current.join()} loading={save.isPending} onClick={() => save.mutate()}>
            Save
          </Button>
        )}
      </Group>
    </Stack>
  );
}
