import { Button, Group, Popover, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { FormEventHandler, ReactNode } from "react";
import { nameText } from "../../../../web/parts/name-text.ts";
import type { Filters } from "../parse-filters.ts";

interface Props {
  /** The name of what is filtered by: "Feedback". */
  readonly name: string;
  readonly icon: ReactNode;
  /** The chosen values in words; null where nothing is chosen. */
  readonly chosen: readonly (string | null)[];
  readonly onChange: (changes: Partial<Filters>) => void;
  /** The text of the button where no filter is set; its name if absent. */
  readonly placeholder?: string;
  readonly width?: number;
  /** Returns the fields, from which `apply` closes the popover too. */
  readonly children: (apply: (changes: Partial<Filters>) => void) => ReactNode;
}

/** A button that names the filter that is set, and opens the fields to set another one. */
export function FilterPopover({ name, icon, chosen, onChange, placeholder = name, width = 320, children }: Props) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const texts = chosen.filter((text) => text !== null);
  return (
    <Popover opened={isOpen} onChange={(opened) => !opened && close()} position="bottom-start" withArrow trapFocus>
      <Popover.Target>
        <Button variant={texts.length > 0 ? "light" : "default"} onClick={toggle} leftSection={icon} maw="100%">
          {texts.length > 0 ? nameText(texts.join(", ")) : placeholder}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={width} maw="94vw" aria-label={name}>
        {children((changes) => {
          onChange(changes);
          close();
        })}
      </Popover.Dropdown>
    </Popover>
  );
}

interface FormProps {
  /** The text of the button that sets no filter: "Any feedback". */
  readonly any: string;
  readonly onAny: () => void;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly children: ReactNode;
}

/** The fields of a filter, with the buttons that take it back and apply it. */
export function FilterForm({ any, onAny, onSubmit, children }: FormProps) {
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {children}
        <Group justify="space-between">
          <Button variant="subtle" color="gray" onClick={onAny}>
            {any}
          </Button>
          <Button type="submit">Apply</Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Returns what is wrong with a tag's name. */
export function tagProblem(name: string, value: string): string | null {
  if (name.includes("=")) return "must not have the sign =";
  return name === "" && value !== "" ? "must not be empty" : null;
}
