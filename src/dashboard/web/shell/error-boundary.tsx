import { Button, Center, Stack, Text, Title } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { LoadError } from "./lazy-part.ts";
import { LoadFailed } from "./load-failed.tsx";

interface Props {
  readonly children: ReactNode;
  /** A new key, such as the address, shows the children again. */
  readonly resetKey?: string;
}

interface State {
  readonly thrown: unknown;
  readonly resetKey: string | undefined;
}

/** Shows that a page broke or did not come, and a way on, where otherwise nothing would be seen. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { thrown: undefined, resetKey: this.props.resetKey };

  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { thrown: thrown ?? new Error("nothing is known of it") };
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { thrown: undefined, resetKey };
  }

  override render(): ReactNode {
    const { thrown } = this.state;
    if (thrown === undefined) return this.props.children;
    if (thrown instanceof LoadError) return <LoadFailed />;
    return (
      <Center mih="60vh" p="md">
        <Stack align="center" maw={480} role="alert">
          <Title order={1} size="h3">
            This page broke
          </Title>
          <Text c="dimmed" ta="center">
            {thrown instanceof Error ? thrown.message : String(thrown)}
          </Text>
          <Button onClick={() => location.reload()}>Load it again</Button>
        </Stack>
      </Center>
    );
  }
}
