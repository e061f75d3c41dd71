import { Button, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { type UseMutationOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Outputs, trpc } from "../api/trpc.ts";
import { mayAct, useProject } from "../shell/session.ts";
import { DialogFooter, DialogForm } from "./dialog-form.tsx";
import { ErrorNote } from "./error-note.tsx";
import { ManagedBadge } from "./managed-badge.tsx";
import { useOperationForm } from "./use-operation-form.ts";

type Settings = Outputs["projectSettings"]["read"];

/** A value while it is edited; not every role may change it. */
export interface Edited<Value> {
  readonly value: Value;
  readonly mayChange: boolean;
  readonly onChange: (value: Value) => void;
}

interface Props<Value, Input, Output, Failure, Result> {
  readonly title: string;
  readonly icon: ReactNode;
  /** Text of the button; undefined while the value is not known. */
  readonly label: (value: Value | undefined) => string;
  readonly read: (settings: Settings) => Value;
  /** `trpc.projectSettings.setBodies.mutationOptions()`. */
  readonly operation: UseMutationOptions<Output, Failure, Input, Result>;
  readonly toInput: (projectId: string, value: Value) => Input;
  /** Says what the setting leaves as it is. */
  readonly note: ReactNode;
  readonly children: (edited: Edited<Value>) => ReactNode;
}

/** A button that shows a setting of the project, and a dialog in which owners and admins change it. */
export function ProjectSetting<Value, Input, Output, Failure, Result>({
  title,
  icon,
  label,
  read,
  ...form
}: Props<Value, Input, Output, Failure, Result>) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { id: projectId } = useProject();
  const settings = useQuery(trpc.projectSettings.read.queryOptions({ projectId }));
  const current = settings.data && read(settings.data);
  return (
    <>
      <Button variant="default" onClick={open} leftSection={icon}>
        {label(current)}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />
        {current !== undefined && (
          <SettingForm<Value, Input, Output, Failure, Result> current={current} onDone={close} {...form} />
        )}
      </Modal>
    </>
  );
}

interface FormProps<Value, Input, Output, Failure, Result>
  extends Pick<Props<Value, Input, Output, Failure, Result>, "operation" | "toInput" | "note" | "children"> {
  readonly current: Value;
  readonly onDone: () => void;
}

function SettingForm<Value, Input, Output, Failure, Result>({
  current,
  operation,
  toInput,
  note,
  children,
  onDone,
}: FormProps<Value, Input, Output, Failure, Result>) {
  const project = useProject();
  const mayChange = mayAct(project, "settings.change");
  const { form, state } = useOperationForm({
    initialValues: { value: current },
    operation: {
      ...operation,
      onSuccess: () => {
        notifications.show({ color: "teal", message: "Saved. It applies to new requests within a second" });
        onDone();
      },
    },
    toInput: (values) => toInput(project.id, values.value),
  });
  const { value } = form.values;
  const content = (
    <>
      {children({ value, mayChange, onChange: (changed) => form.setValues({ value: changed }) })}
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
    <DialogForm action="Save" onCancel={onDone} {...state} isDisabled={String(value) === String(current)} aside={aside}>
      {content}
    </DialogForm>
  );
}
