import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { api } from "../../../api/client.ts";
import { errorText } from "../../../api/errors.ts";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { nameText } from "../../../parts/name-text.ts";
import { mayAct, useProject } from "../../../shell/session.ts";
import { FILTER_NAMES, type Filters, hasFilters } from "../parse-filters.ts";

/** Filters that were saved by name, for all who see the project. */
export function SavedViews({ filters }: { readonly filters: Filters }) {
  const project = useProject();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const key = ["views", project.id];
  const client = useQueryClient();
  const views = useQuery({
    queryKey: key,
    queryFn: () => api.views.list.query({ projectId: project.id }),
    enabled: isOpen,
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.views.remove.mutate({ projectId: project.id, id }),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
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
                  onClick={() => remove.mutate(id)}
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
  const client = useQueryClient();
  const form = useForm({ initialValues: { name: "" } });
  const save = useMutation({
    mutationFn: (name: string) => api.views.save.mutate({ projectId, name, search: toSearch(filters) }),
    onSuccess: async () => {
      form.reset();
      await client.invalidateQueries({ queryKey: ["views", projectId] });
    },
    onError: (error) => form.setFieldError("name", errorText(error)),
  });
  return (
    <form onSubmit={form.onSubmit(({ name }) => save.mutate(name.trim()))}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="Save these filters as"
          placeholder="Failed today"
          maxLength={100}
          required
          withAsterisk={false}
          flex={1}
          {...form.getInputProps("name")}
        />
        <Button type="submit" loading={save.isPending}>
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
