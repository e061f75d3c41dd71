import { Grid, Stack, Title } from "@mantine/core";
import { Page } from "../../shell/page.tsx";
import { useSession } from "../../shell/session.ts";
import { PasswordPart } from "./password-part.tsx";
import { SessionsPart } from "./sessions-part.tsx";

/** The password and the sessions of who is signed in. */
export function AccountPage() {
  const { user } = useSession();
  return (
    <Page title="Account" lead={user.email}>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <Title order={2} size="h4">
              Where you are signed in
            </Title>
            <SessionsPart />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <Title order={2} size="h4">
              Password
            </Title>
            <PasswordPart />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
