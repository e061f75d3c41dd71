import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustments } from "@tabler/icons-react";
import { ManagedBadge } from "../../../../web/parts/managed-badge.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import { mayAct, useProject } from "../../../../web/shell/session.ts";
import { MODES } from "../standing.ts";
import type { LearnedList } from "../types.ts";
import { ControlsForm } from "./controls-form.tsx";
import { RebuildButton, RebuildNote } from "./rebuild-part.tsx";

/** The controls that all workloads of a project inherit. */
export function ProjectControls({ list }: { readonly list: LearnedList }) {
  const project = useProject();
  const [isOpen, { open, close }] = useDisclosure(false);
  const { configured, ...own } = list.project;
  const { label, text } = modeWords(own.mode ?? configured.mode);
  const held =
    own.hold === "frozen"
      ? " All are frozen."
      : own.hold === "pinned"
        ? ` All are pinned to ${nameText(own.pinned ?? "")}.`
        : "";
  return (
    <Stack className="attune-card" p="md" gap="sm">
      <Group justify="space-between" gap="sm">
        <Text fz="sm" maw={720}>
          <Text span inherit fw={600}>
            {label} in this project{own.mode === null ? ", as configured" : ""}.
          </Text>{" "}
          {text}
          {held}
        </Text>
        <ManagedBadge kind="learning" name="" />
        <Group gap="sm">
          <RebuildButton />
          <Button variant="default" onClick={open} leftSection={<IconAdjustments size={16} aria-hidden />}>
            All workloads
          </Button>
        </Group>
      </Group>
      <RebuildNote />
      <Modal opened={isOpen} onClose={close} title="All workloads of this project">
        <Text fz="sm" c="dimmed" mb="md">
          These settings apply to each workload without settings of its own. A model that is excluded here is excluded
          everywhere.
        </Text>
        <ControlsForm
          model=""
          own={own}
          inherited={{
            mode: `As configured (${modeWords(configured.mode).label})`,
            hold: "Free: the model that feedback favors",
            metrics: [],
          }}
          models={list.models}
          metrics={list.metrics}
          mayChange={mayAct(project, "workloads.change")}
          onDone={close}
        />
      </Modal>
    </Stack>
  );
}

/** Finds the words of a mode. */
export function modeWords(mode: string): { readonly label: string; readonly text: string } {
  return MODES.find(({ value }) => value === mode) ?? { label: mode, text: "" };
}
