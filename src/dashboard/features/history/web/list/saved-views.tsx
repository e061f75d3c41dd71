import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { errorText } from "../../../../web/api/errors.ts";
import { trpc } from "../../../../web/api/trpc.ts";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import { useOperationForm } from "../../../../web/parts/use-operation-form.ts";
import { mayAct, useProject } from "../../../../web/shell/session.ts";
import { FILTER_NAMES, type Filters, hasFilters } from "../parse-filters.ts";

/** Filters that were saved by name, for all who see the project. */
export function SavedViews({ filters }: { readonly filters: Filters }) {
  const project = useProject();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const views = useQuery(trpc.views.list.queryOptions({ projectId: project.id }, { enabled: isOpen }));
  const remove = useMutation(trpc.views.remove.mutationOptions());
  const mayChange = mayAct(project, "views.change");
  return (
    <Popover opened={isOpen} onChange={(opened) => !opened && close()} position="bottom-end" withArrow trapFocus>
      <Popover.Target>
        <Button variant="default" onClick={toggle} leftSection={<IconBookmark size={16} aria-hidden />}>
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={320} maw="94vw" aria-label="Saved views">
        <Stack gap="sm">
          <ErrorNote error={views.error ?? remove.error} onRetry={() => void views.refetch()} />
          {views.data?.length === 0 && (
            <Text fz="sm" c="dimmed">
              No saved views yet. Everyone in the project sees those that you save.
            </Text>
          )}
          {views.data?.map(({ id, name, search, createdBy }) => (
            <Group key={id} gap="xs" wrap="nowrap">
              <Button
                component={Link}
                to={{ search }}
                variant="subtle"
                color="gray"
                justify="flex-start"
                flex={1}
                miw={0}
                title={`Saved by ${nameText(createdBy)}`}
                onClick={close}
              >
                {nameText(name)}
              </Button>
              {mayChange && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove ${nameText(name)}`}
                  onClick={() => remove.mutate({ projectId: project.id, id })}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          ))}
          {mayChange && hasFilters(filters) && <SaveForm filters={filters} />}
          {!hasFilters(filters) && (
            <Text fz="sm" c="dimmed">
              Set a filter to save it under a name.
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function SaveForm({ filters }: { readonly filters: Filters }) {
  const { id: projectId } = useProject();
  const { form, state } = useOperationForm({
    initialValues: { name: "" },
    operation: trpc.views.save.mutationOptions({
      onSuccess: () => {
        form.reset();
      },
    }),
    toInput: ({ name }) => ({ projectId, name: name.trim(), search: toSearch(filters) }),
  });
  return (
    <form onSubmit={state.onSubmit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="Save these filters as"
          placeholder="Failed today"
          maxLength={100}
          required
          withAsterisk={false}
          flex={1}
          {...form.getInputProps("name")}
          error={form.errors["name"] ?? (state.error === null ? undefined : errorText(state.error))}
        />
        <Button type="submit" loading={state.isPending}>
          Save
        </Button>
      </Group>
    </form>
  );
}

/** Returns the filters as an address has them. */
function toSearch(filters: Filters): string {
  const parameters = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = filters[name];
    if (value !== null) parameters.set(name, value);
  }
  return parameters.toString();
}
