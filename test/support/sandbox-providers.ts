import { startTestService } from "./service.ts";

/** The configuration of a service, and what ends the providers in it. */
export interface SandboxProviders {
  readonly configText: string;
  close(): Promise<void>;
}

/**
 * Starts a service of the sandbox that another one has for its providers: nothing is told of what is learned of made-up
 * answers, and these are none to it.
 */
export async function startSandboxProviders(learning: string): Promise<SandboxProviders> {
  const { url, key, close } = await startTestService();
  const configText = `
upstreams:
  openai: { kind: openai-responses, baseUrl: "${url}/v1", apiKey: ${key} }
  anthropic: { kind: anthropic-messages, baseUrl: "${url}", apiKey: ${key} }
models: [gpt-6-astra, claude-fable-5-2, claude-sonnet-5-5, claude-haiku-5-5]
learning: ${learning}
`;
  return { configText, close };
}
