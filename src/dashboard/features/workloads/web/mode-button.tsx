import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { nameText } from "../../../web/parts/name-text.ts";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { useSetControls } from "./use-set-controls.ts";

/** Turns learning on for a workload; members may. */
export function TurnOnButton({ model }: { readonly model: string }) {
  const mayChange = mayAct(useProject(), "workloads.change");
  const save = useSetControls(model);
  if (!mayChange) return null;
  const message = `Learning is on for ${nameText(model)}`;
  const turnOn = () => save.mutate({ mode: "on" }, { onSuccess: () => notifications.show({ color: "teal", message }) });
  return (
    <Button size="xs" onClick={turnOn} loading={save.isPending} aria-label={`Turn on for ${nameText(model)}`}>
      Turn on
    </Button>
  );
}
