import { Button } from "@mantine/core";
import type { Outputs } from "../../../web/api/trpc.ts";
import { DASHBOARD_PATH } from "../../../web/dashboard-path.ts";

/** The ways to sign in. */
export type SignInWays = Extract<Outputs["session"]["current"], { user: null }>;

interface Props extends Pick<SignInWays, "providers"> {
  /** The page of the dashboard that each leads back to. */
  readonly to: string;
}

/** Links to the sign-in providers. */
export function ProviderButtons({ providers, to }: Props) {
  return providers.map(({ name, label }) => (
    <Button
      key={name}
      component="a"
      variant="default"
      href={`${DASHBOARD_PATH}/api/sign-in/${name}/start?${new URLSearchParams({ to })}`}
    >
      Sign in with {label}
    </Button>
  ));
}
