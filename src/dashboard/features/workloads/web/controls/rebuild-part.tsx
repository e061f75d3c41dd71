import { Button, Group, Loader, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type Outputs, trpc } from "../../../../web/api/trpc.ts";
import { DialogForm } from "../../../../web/parts/dialog-form.tsx";
import { formatAgo, formatNumber, formatTime } from "../../../../web/parts/format.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { useOperationForm } from "../../../../web/parts/use-operation-form.ts";
import { mayAct, useProject } from "../../../../web/shell/session.ts";

const UNDER_WAY_MS = 1000;

const ENDED_MS = 30_000;

/** An ended rebuild is told of for so long. */
const SHOWN_MS = 86_400_000;

/** The button that begins a rebuild, for owners and admins; nothing while one waits or runs. */
export function RebuildButton() {
  const project = useProject();
  const { data } = useRebuild();
  const [isOpen, { open, close }] = useDisclosure(false);
  if (data === undefined || isUnderWay(data) || !mayAct(project, "workloads.rebuild")) return null;
  return (
    <>
      <Button variant="default" onClick={open} leftSection={<IconRefresh size={16} aria-hidden />}>
        Rebuild
      </Button>
      <Modal opened={isOpen} onClose={close} title="Rebuild the learned state?">
        <RebuildForm latest={data} onDone={close} />
      </Modal>
    </>
  );
}

function RebuildForm({ latest, onDone }: { readonly latest: Rebuild | null; readonly onDone: () => void }) {
  const { id: projectId } = useProject();
  const { state } = useOperationForm({
    initialValues: {},
    operation: trpc.rebuilds.request.mutationOptions({ onSuccess: onDone }),
    toInput: () => ({ projectId }),
  });
  const isTooSoon = latest !== null && latest.nextAt !== null && Date.parse(latest.nextAt) > Date.now();
  return (
    <DialogForm action="Start the rebuild" onCancel={onDone} {...state} isDisabled={isTooSoon}>
      <Text fz="sm">
        Attune learns all workloads of this project again from stored requests and feedback, with the current settings,
        and then replaces the learned state. This undoes resets.
      </Text>
      <Text fz="sm" c="dimmed">
        This runs in the background and may take long. Meanwhile, all projects of this installation stop learning, and
        their feedback waits.
      </Text>
      {isTooSoon && (
        <Text fz="sm" role="status">
          The rebuild before ended a short while ago. The next one may begin after {formatTime(latest.nextAt)}.
        </Text>
      )}
    </DialogForm>
  );
}

/** Tells how far a rebuild is, or how one of the last day ended. */
export function RebuildNote() {
  const project = useProject();
  const { data } = useRebuild();
  const cancel = useMutation(trpc.rebuilds.cancel.mutationOptions());
  if (data == null || (data.endedAt != null && Date.now() - Date.parse(data.endedAt) > SHOWN_MS)) return null;
  const isOpen = isUnderWay(data);
  return (
    <Group justify="space-between" gap="sm" role="group" aria-label="Rebuild">
      <Group gap="xs" wrap="nowrap" align="flex-start" maw={720} flex="1 1 16rem">
        {isOpen && <Loader size={16} mt={3} aria-hidden />}
        <Stack gap={0}>
          {/* The count goes on each second: only another state is read aloud. */}
          <Text fz="sm" role="status" {...(data.state === "failed" && { c: "var(--mantine-color-error)" })}>
            {describeState(data)}
          </Text>
          <Text fz="sm" c="dimmed">
            {describeCourse(data)}
          </Text>
        </Stack>
      </Group>
      {isOpen && mayAct(project, "workloads.rebuild") && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ projectId: project.id })}>
          Cancel the rebuild
        </Button>
      )}
    </Group>
  );
}

const STATES: Readonly<Record<Rebuild["state"], string>> = {
  waiting: "A rebuild waits for its turn.",
  running: "The learned state is being rebuilt. New feedback waits.",
  done: "The learned state was rebuilt.",
  failed: "The rebuild failed, and nothing was replaced",
  canceled: "The rebuild was canceled, and nothing was replaced.",
};

function describeState({ state, problem }: Rebuild): string {
  return state === "failed" ? `${STATES[state]}: ${problem}.` : STATES[state];
}

function describeCourse({ state, requestedBy, requestedAt, startedAt, endedAt, workloads, events }: Rebuild): string {
  const by = nameText(requestedBy);
  const read = `${formatNumber(events)} requests and entries of feedback`;
  if (state === "waiting") return `Requested ${formatAgo(requestedAt)} by ${by}`;
  if (state === "running") return `${read} so far, begun ${formatAgo(startedAt)} for ${by}`;
  const count = workloads === 1 ? "1 workload" : `${formatNumber(workloads)} workloads`;
  const ended = `Ended ${formatAgo(endedAt)}, requested by ${by}`;
  return state === "done" ? `${count}, from ${read}. ${ended}` : ended;
}

/** A rebuild of what was learned. */
type Rebuild = NonNullable<Outputs["rebuilds"]["read"]>;

/** Tells whether a rebuild waits or runs. */
function isUnderWay(rebuild: Rebuild | null | undefined): boolean {
  return rebuild?.state === "waiting" || rebuild?.state === "running";
}

/** Reads the rebuild that waits or runs, or else the latest one: null where there was none. */
function useRebuild() {
  const { id: projectId } = useProject();
  return useQuery(
    trpc.rebuilds.read.queryOptions(
      { projectId },
      { refetchInterval: ({ state }) => (isUnderWay(state.data) ? UNDER_WAY_MS : ENDED_MS) },
    ),
  );
}
