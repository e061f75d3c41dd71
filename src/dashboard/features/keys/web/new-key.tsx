import { Group, Stack, Text } from "@mantine/core";
import { CopyButton } from "../../../web/parts/copy-button.tsx";
import { DialogFooter } from "../../../web/parts/dialog-form.tsx";
import { Snippets } from "../../../web/parts/snippets.tsx";
import { useSession } from "../../../web/shell/session.ts";
import { useOrigin } from "../../../web/shell/use-origin.ts";
import { snippetsFor } from "./snippets.ts";

interface Props {
  /** The whole key. */
  readonly secret: string;
  readonly onDone: () => void;
}

/** Shows a key, which is nowhere kept, with a first call for curl and three SDKs. */
export function NewKey({ secret, onDone }: Props) {
  const { exampleModel } = useSession();
  const snippets = snippetsFor({ origin: useOrigin(), key: secret, model: exampleModel });
  return (
    <Stack>
      <Text fz="sm">
        Copy it now: Attune stores only a hash and can't show it again. Anyone who has it can call at your expense.
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
      <Snippets snippets={snippets} />
      <DialogFooter cancel="I have copied it" onCancel={onDone} />
    </Stack>
  );
}
