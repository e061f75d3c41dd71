import { Button, Group, Popover, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconTag } from "@tabler/icons-react";
import { nameText } from "../../../parts/name-text.ts";
import { type Filters, parseTag } from "../parse-filters.ts";

interface Props {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}

/** Chooses requests by their session, end user and tag. */
export function FactsFilter({ filters, onChange }: Props) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { session, user, label } = filters;
  const chosen = [session, user, label].filter((text) => text !== null);
  return (
    <Popover opened={isOpen} onChange={(opened) => !opened && close()} position="bottom-start" withArrow trapFocus>
      <Popover.Target>
        <Button
          variant={chosen.length > 0 ? "light" : "default"}
          onClick={toggle}
          leftSection={<IconTag size={16} aria-hidden />}
          maw="100%"
        >
          {chosen.length === 0 ? "Session, user, tag" : nameText(chosen.join(", "))}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={320} maw="94vw" aria-label="Session, user, tag">
        <FactsForm
          key={JSON.stringify([session, user, label])}
          filters={filters}
          onChange={(changes) => {
            onChange(changes);
            close();
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function FactsForm({ filters, onChange }: Props) {
  const tag = parseTag(filters.label ?? "");
  const form = useForm({
    initialValues: {
      session: filters.session ?? "",
      user: filters.user ?? "",
      name: tag?.key ?? "",
      value: tag?.value ?? "",
    },
    validate: {
      name: (name, { value }) => {
        if (name.includes("=")) return "must not have the sign =";
        return name === "" && value !== "" ? "must not be empty" : null;
      },
    },
  });
  const apply = ({ session, user, name, value }: typeof form.values) =>
    onChange({ session: session || null, user: user || null, label: name === "" ? null : `${name}=${value}` });
  return (
    <form onSubmit={form.onSubmit(apply)}>
      <Stack gap="sm">
        <TextInput label="Session" maxLength={256} {...form.getInputProps("session")} />
        <TextInput label="End user" maxLength={256} {...form.getInputProps("user")} />
        <Group gap="sm" grow align="flex-start">
          <TextInput label="Tag" placeholder="team" maxLength={64} {...form.getInputProps("name")} />
          <TextInput label="Its value" placeholder="search" maxLength={200} {...form.getInputProps("value")} />
        </Group>
        <Group justify="space-between">
          <Button variant="subtle" color="gray" onClick={() => onChange({ session: null, user: null, label: null })}>
            Any
          </Button>
          <Button type="submit">Apply</Button>
        </Group>
      </Stack>
    </form>
  );
}
