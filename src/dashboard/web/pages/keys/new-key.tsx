import { Button, Group, Stack, Tabs, Text } from "@mantine/core";
import { CodeBlock } from "../../parts/code-block.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { useSession } from "../../shell/session.ts";
import { snippetsFor } from "./snippets.ts";

interface Props {
  /** The whole key. */
  readonly secret: string;
  readonly onDone: () => void;
}

/** Shows a key, which is nowhere kept, with a first call in three languages. */
export function NewKey({ secret, onDone }: Props) {
  const { exampleModel } = useSession();
  const snippets = snippetsFor({ origin: location.origin, key: secret, model: exampleModel });
  return (
    <Stack>
      <Text>
        Copy it now: Attune keeps only a hash, and cannot show it again. Whoever has it can call at your expense.
      </Text>
      <pre className="attune-code attune-secret" data-testid="secret">
        {secret}
      </pre>
      <Group>
        <CopyButton text={secret} what="the key" isLarge />
      </Group>
      <Text fw={600} mt="xs">
        A first call
      </Text>
      <Tabs defaultValue="curl">
        <Tabs.List mb="sm">
          {snippets.map(({ language }) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ language, code }) => (
          <Tabs.Panel key={language} value={language}>
            <CodeBlock code={code} what={`the ${language} call`} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          I have copied it
        </Button>
      </Group>
    </Stack>
  );
}
