import { Box, Button, Group, Loader, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { Names } from "../../../web/figures/use-names.ts";
import { CodeBlock } from "../../../web/parts/code-block.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { mayAct, useProject, useSession } from "../../../web/shell/session.ts";
import { useOrigin } from "../../../web/shell/use-origin.ts";
import { LeaveButton } from "../../../web/tour/tour-bar.tsx";
import { useTour } from "../../../web/tour/use-tour.ts";
import { CreateKey } from "../../keys/web/create-key.tsx";
import { snippetsFor } from "../../keys/web/snippets.ts";

interface Props {
  readonly usableKey: Names["usableKey"];
  /** Has the keys looked up again. */
  readonly onKeyCreated: () => void;
}

/** The first steps of a new project: a key, then a call, and what comes after these in the tour. */
export function FirstCall({ usableKey, onKeyCreated }: Props) {
  const project = useProject();
  const mayCreate = mayAct(project, "keys.change");
  const tour = useTour(project);
  const later = tour?.steps.slice(2) ?? [];
  const [isCreating, setIsCreating] = useState(false);
  const close = () => {
    setIsCreating(false);
    onKeyCreated();
  };
  return (
    <Box className="attune-card" p={{ base: "md", sm: "xl" }}>
      <Stack gap="lg" maw={840}>
        <Group justify="space-between" align="flex-start" gap="xs">
          <Title order={2} size="h3">
            {tour === undefined ? "Two steps to the first call" : "Five steps to the first evidence"}
          </Title>
          {tour !== undefined && <LeaveButton tour={tour} />}
          <Text c="dimmed" fz="sm" w="100%">
            Calls, tokens, cost and latency appear here seconds after the first call.
          </Text>
        </Group>
        <Step number={1} isDone={usableKey !== null} title="Create an API key">
          {usableKey !== null ? (
            <Text c="dimmed" fz="sm">
              The key “{nameText(usableKey.name)}” can call.
            </Text>
          ) : mayCreate ? (
            <Group>
              <Button onClick={() => setIsCreating(true)}>Create a key</Button>
              <Text c="dimmed" fz="sm">
                It is shown once, with this call filled in.
              </Text>
            </Group>
          ) : (
            <Text c="dimmed" fz="sm">
              You are a viewer: ask a member of the project to create one.
            </Text>
          )}
        </Step>
        <Step number={2} isDone={false} title="Send the first call">
          <SendCall usableKey={usableKey} />
        </Step>
        {later.map(({ name, title, text, isDone }, at) => (
          <Step key={name} number={at + 3} isDone={isDone} title={title}>
            <Text c="dimmed" fz="sm">
              {text}
            </Text>
          </Step>
        ))}
      </Stack>
      <CreateKey isOpen={isCreating} onClose={close} />
    </Box>
  );
}

/** The call to copy, and the way to make it in this browser. */
function SendCall({ usableKey }: Pick<Props, "usableKey">) {
  const { exampleModel } = useSession();
  const project = useProject();
  const [curl] = snippetsFor({ origin: useOrigin(), key: "$ATTUNE_KEY", model: exampleModel });
  const exported = usableKey === null ? "att_…" : `att_${usableKey.publicId}_…`;
  return (
    <Stack gap="xs">
      <CodeBlock code={`export ATTUNE_KEY="${exported}"\n${curl?.code ?? ""}`} what="the first call" />
      <Text c="dimmed" fz="sm">
        Replace the dots with the whole key. Attune stores only its hash.
      </Text>
      <Group justify="space-between" gap="xs">
        <Group gap="xs" role="status">
          <Loader size={14} type="dots" aria-hidden />
          <Text fz="sm">Waiting for the first call</Text>
        </Group>
        {mayAct(project, "playground.call") && (
          <Button component={Link} to={`/projects/${project.id}/playground`} variant="default" size="xs">
            Call from this browser
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface StepProps {
  readonly number: number;
  readonly isDone: boolean;
  readonly title: string;
  readonly children: ReactNode;
}

function Step({ number, isDone, title, children }: StepProps) {
  return (
    <Group align="flex-start" wrap="nowrap" gap="md">
      <ThemeIcon variant={isDone ? "filled" : "light"} color={isDone ? "teal.9" : "indigo"} radius="xl" size={32}>
        {isDone ? <IconCheck size={18} aria-label="Done" /> : number}
      </ThemeIcon>
      <Box flex={1} miw={0}>
        <Title order={3} size="h5" mt={4} mb="xs">
          {title}
        </Title>
        {children}
      </Box>
    </Group>
  );
}
