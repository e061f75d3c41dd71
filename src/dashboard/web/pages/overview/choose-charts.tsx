import { Button, Checkbox, Popover, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLayoutGrid } from "@tabler/icons-react";
import { FIRST_CHARTS } from "./chart-plans.ts";
import { shownCharts } from "./chosen-charts.ts";

interface Props {
  /** Names of the charts that there are. */
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses which charts are shown: one at least, and as many as the first ones are. */
export function ChooseCharts({ names, chosen, onChange }: Props) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const shown = shownCharts(names, chosen);
  // What was chosen of charts that another grouping has is kept.
  const change = (now: readonly string[]) => onChange([...chosen.filter((name) => !names.includes(name)), ...now]);
  const isFixed = (name: string) => (shown.includes(name) ? shown.length === 1 : shown.length === FIRST_CHARTS.length);
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-end" withinPortal trapFocus shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          onClick={toggle}
          aria-expanded={isOpen}
          leftSection={<IconLayoutGrid size={16} aria-hidden />}
        >
          Choose charts
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text fz="sm" c="dimmed">
            Four at a time.
          </Text>
          <Checkbox.Group aria-label="Charts that are shown" value={[...shown]} onChange={change}>
            <Stack gap={6}>
              {names.map((name) => (
                <Checkbox key={name} size="sm" value={name} label={name} disabled={isFixed(name)} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Button size="xs" variant="default" onClick={() => change(FIRST_CHARTS)}>
            The first four
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
