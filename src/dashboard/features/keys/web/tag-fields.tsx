import { ActionIcon, Box, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { findTagProblems, MAX_TAGS, type Tag } from "../../../../vocabulary/key-tags.ts";
import { filledTags } from "./filled-tags.ts";

interface Props {
  readonly tags: readonly Tag[];
  /** True once the form was sent: until then nobody is told what a tag that is being written lacks. */
  readonly showsProblems: boolean;
  readonly onChange: (tags: readonly Tag[]) => void;
}

/** Names and values of the tags of a key. */
export function TagFields({ tags, showsProblems, onChange }: Props) {
  const problems = findTagProblems(tags);
  const change = (at: number, changed: Partial<Tag>) =>
    onChange(tags.map((tag, place) => (place === at ? { ...tag, ...changed } : tag)));
  const findProblem = (at: number) =>
    showsProblems && filledTags(tags.slice(at, at + 1)).length > 0 ? problems.get(at) : undefined;
  return (
    <Stack gap="xs">
      <Text fz="sm" c="dimmed">
        All calls of the key have them, and they replace tags of the same name that callers send. Limits and usage of a
        tag count them.
      </Text>
      {tags.map(({ name, value }, at) => (
        // Rows have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is edited in its place
        <Box key={at}>
          <Group gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={`Tag ${at + 1}`}
              placeholder="team"
              value={name}
              error={findProblem(at) !== undefined}
              onChange={({ currentTarget }) => change(at, { name: currentTarget.value })}
            />
            <TextInput
              flex={1}
              aria-label={`Value of tag ${at + 1}`}
              placeholder="search"
              value={value}
              error={findProblem(at) !== undefined}
              onChange={({ currentTarget }) => change(at, { value: currentTarget.value })}
            />
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={`Remove tag ${at + 1}`}
              onClick={() => onChange(tags.filter((_, place) => place !== at))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
          {findProblem(at) !== undefined && (
            <Text fz="xs" c="var(--mantine-color-error)" role="alert">
              Tag {at + 1} {findProblem(at)}
            </Text>
          )}
        </Box>
      ))}
      <Box>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={tags.length >= MAX_TAGS}
          onClick={() => onChange([...tags, { name: "", value: "" }])}
        >
          Add a tag
        </Button>
      </Box>
    </Stack>
  );
}
