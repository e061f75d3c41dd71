import { Button, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api } from "../api/client.ts";
import { mayAct, useProject } from "../shell/session.ts";
import { DialogFooter, DialogForm } from "./dialog-form.tsx";
import { ErrorNote } from "./error-note.tsx";
import { ManagedBadge } from "./managed-badge.tsx";

type Settings = Awaited<ReturnType<typeof api.projectSettings.read.query>>;

/** A value while it is edited; not every role may change it. */
export interface Edited<Value> {
  readonly value: Value;
  readonly mayChange: boolean;
  readonly onChange: (value: Value) => void;
}

interface Props<Value> {
  readonly title: string;
  readonly icon: ReactNode;
  /** Text of the button; undefined while the value is not known. */
  readonly label: (value: Value | undefined) => string;
  readonly read: (settings: Settings) => Value;
  readonly save: (projectId: string, value: Value) => Promise<unknown>;
  /** Says what the setting leaves as it is. */
  readonly note: ReactNode;
  readonly children: (edited: Edited<Value>) => ReactNode;
}

const keyOf = (projectId: string) => ["project-settings", projectId] as const;

/** Reads the settings of the project. */
export function useProjectSettings() {
  const { id: projectId } = useProject();
  return useQuery({ queryKey: keyOf(projectId), queryFn: () => api.projectSettings.read.query({ projectId }) });
}

/** Returns what has the settings read again. */
export function useRefreshSettings(): () => Promise<void> {
  const { id } = useProject();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keyOf(id) });
}

/** A button that shows a setting of the project, and a dialog in which owners and admins change it. */
export function ProjectSetting<Value>({ title, icon, label, read, ...form }: Props<Value>) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const settings = useProjectSettings();
  const current = settings.data && read(settings.data);
  return (
    <>
      <Button variant="default" onClick={open} leftSection={icon}>
        {label(current)}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />
        {current !== undefined && <SettingForm<Value> current={current} onDone={close} {...form} />}
      </Modal>
    </>
  );
}

interface FormProps<Value> extends Pick<Props<Value>, "save" | "note" | "children"> {
  readonly current: Value;
  readonly onDone: () => void;
}

function SettingForm<Value>({ current, save, note, children, onDone }: FormProps<Value>) {
  const project = useProject();
  const mayChange = mayAct(project, "settings.change");
  const refresh = useRefreshSettings();
  const [value, setValue] = useState(current);
  const change = useMutation({
    mutationFn: () => save(project.id, value),
    onSuccess: async () => {
      await refresh();
      const message = "Saved. It applies to new requests within a second";
      notifications.show({ color: "teal", message });
      onDone();
    },
    meta: { showsError: true },
  });
  const content = (
    <>
      {children({ value, mayChange, onChange: (changed) => setValue(() => changed) })}
      <Text fz="sm" c="dimmed">
        {note}
        {mayChange ? "" : " Owners and admins of the project change this."}
      </Text>
    </>
  );
  const aside = <ManagedBadge kind="settings" name="" />;
  if (!mayChange) {
    return (
      <Stack>
        {content}
        <DialogFooter cancel="Close" onCancel={onDone} aside={aside} />
      </Stack>
    );
  }
  return (
    <DialogForm
      action="Save"
      onSubmit={() => change.mutate()}
      onCancel={onDone}
      isPending={change.isPending}
      isDisabled={String(value) === String(current)}
      error={change.error}
      aside={aside}
    >
      {content}
    </DialogForm>
  );
}
