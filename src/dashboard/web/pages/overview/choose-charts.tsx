import { Button, Checkbox, Group, Popover, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLayoutGrid } from "@tabler/icons-react";
import { FIRST_CHARTS } from "./chart-plans.ts";

interface Props {
  /** Names of the charts that there are. */
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses which charts are shown, one at least. */
export function ChooseCharts({ names, chosen, onChange }: Props) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
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
          <Checkbox.Group aria-label="Charts that are shown" value={[...chosen]} onChange={change}>
            <Stack gap={6}>
              {names.map((name) => (
                <Checkbox key={name} size="sm" value={name} label={name} disabled={isLast(name)} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => onChange(names)}>
              All charts
            </Button>
            <Button size="xs" variant="default" onClick={() => onChange(FIRST_CHARTS)}>
              The first four
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );

  /** Keeps what was chosen of charts that another grouping has. */
  function change(shown: string[]): void {
    onChange([...chosen.filter((name) => !names.includes(name)), ...shown]);
  }

  function isLast(name: string): boolean {
    const shown = names.filter((one) => chosen.includes(one));
    return shown.length === 1 && shown[0] === name;
  }
}
