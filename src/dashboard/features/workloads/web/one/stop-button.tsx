import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { mayAct, useProject } from "../../../../web/shell/session.ts";
import type { WorkloadDetails } from "../types.ts";
import { useSetControls } from "../use-set-controls.ts";

/** Stops other models from answering, at once, or lets them answer again; nothing where only base answers anyway. */
export function StopButton({ workload }: { readonly workload: WorkloadDetails }) {
  const { model, holds, own } = workload;
  const mayChange = mayAct(useProject(), "workloads.change");
  const save = useSetControls(model);
  if (!mayChange || holds.mode !== "on") return null;
  const isFrozen = holds.hold?.kind === "frozen";
  // A freeze of the project stays for its other workloads.
  const resumed = { hold: own.hold === "frozen" ? null : "free", pinned: null } as const;
  const click = () =>
    save.mutate(isFrozen ? resumed : { hold: "frozen", pinned: null }, {
      onSuccess: () =>
        notifications.show({
          color: "teal",
          message: isFrozen ? "Other models may answer again" : "Stopped: only base answers",
        }),
    });
  return (
    <Button
      variant="default"
      leftSection={
        isFrozen ? (
          <IconPlayerPlay size={16} aria-hidden />
        ) : (
          <IconPlayerStop size={16} color="var(--mantine-color-red-6)" aria-hidden />
        )
      }
      onClick={click}
      loading={save.isPending}
    >
      {isFrozen ? "Resume" : "Stop"}
    </Button>
  );
}
