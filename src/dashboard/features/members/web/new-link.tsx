import { Alert, Group, Stack, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { CopyButton } from "../../../web/parts/copy-button.tsx";
import { useOrigin } from "../../../web/shell/use-origin.ts";

interface Props {
  /** Page below /dashboard that the link opens. */
  readonly path: "invitation" | "reset";
  readonly token: string;
  /** The address of the invited person. */
  readonly email: string;
  /** The time for which the link is valid: "within seven days". */
  readonly until: string;
}

/** Shows a link that works once, to be sent to someone. */
export function NewLink({ path, token, email, until }: Props) {
  const link = `${useOrigin()}/dashboard/${path}#token=${token}`;
  return (
    <Alert variant="default" icon={<IconMail size={18} aria-hidden />} title={`Send this link to ${email}`}>
      <Stack gap="xs">
        <Text fz="sm">It works once, {until}, and is shown only now. Attune sends no mail.</Text>
        <pre className="attune-code attune-secret">{link}</pre>
        <Group>
          <CopyButton text={link} what="the link" isLarge />
        </Group>
      </Stack>
    </Alert>
  );
}
