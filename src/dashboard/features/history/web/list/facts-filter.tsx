import { Group, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconTag } from "@tabler/icons-react";
import { type Filters, parseTag } from "../parse-filters.ts";
import { FilterForm, FilterPopover, tagProblem } from "./filter-popover.tsx";

interface Props {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}

/** Chooses requests by their session, end user and tag. */
export function FactsFilter({ filters, onChange }: Props) {
  const { session, user, label } = filters;
  return (
    <FilterPopover
      name="Session, user, tag"
      icon={<IconTag size={16} aria-hidden />}
      chosen={[session, user, label]}
      onChange={onChange}
    >
      {(apply) => <FactsForm key={JSON.stringify([session, user, label])} filters={filters} onChange={apply} />}
    </FilterPopover>
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
    validate: { name: (name, { value }) => tagProblem(name, value) },
  });
  const apply = ({ session, user, name, value }: typeof form.values) =>
    onChange({ session: session || null, user: user || null, label: name === "" ? null : `${name}=${value}` });
  return (
    <FilterForm
      any="Any"
      onAny={() => onChange({ session: null, user: null, label: null })}
      onSubmit={form.onSubmit(apply)}
    >
      <TextInput label="Session" maxLength={256} {...form.getInputProps("session")} />
      <TextInput label="End user" maxLength={256} {...form.getInputProps("user")} />
      <Group gap="sm" grow align="flex-start">
        <TextInput label="Tag" placeholder="team" maxLength={64} {...form.getInputProps("name")} />
        <TextInput label="Its value" placeholder="search" maxLength={200} {...form.getInputProps("value")} />
      </Group>
    </FilterForm>
  );
}
