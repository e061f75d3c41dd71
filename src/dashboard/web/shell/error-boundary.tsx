import { Button, Center, Stack, Text, Title } from "@mantine/core";
import { Component, type ReactNode } from "react";

interface Props {
  readonly children: ReactNode;
  /** A new key, such as the address, shows the children again. */
  readonly resetKey?: string;
}

interface State {
  readonly message: string | undefined;
  readonly resetKey: string | undefined;
}

/** Shows that a page broke, and a way on, where otherwise nothing would be seen. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { message: undefined, resetKey: this.props.resetKey };

  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { message: thrown instanceof Error ? thrown.message : String(thrown) };
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { message: undefined, resetKey };
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    return (
      <Center mih="60vh" p="md">
        <Stack align="center" maw={480} role="alert">
          <Title order={1} size="h3">
            This page broke
          </Title>
          <Text c="dimmed" ta="center">
            {message}
          </Text>
          <Button onClick={() => location.reload()}>Load it again</Button>
        </Stack>
      </Center>
    );
  }
}
