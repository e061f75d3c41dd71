import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  freePort,
  installPython,
  startProgram,
  type TestedServer,
  TINY_PROMPTS,
  untilReady,
  writeTinyModel,
} from "./server.ts";

/** A release of llama.cpp's server, and how it is started. */
interface LlamaCppRelease extends Pick<TestedServer, "name" | "version"> {
  /** What pip installs: `xllamacpp==2026.10.11549`. */
  readonly requirement: string;
  /** The name under which it makes embeddings; absent if it makes none. */
  readonly embedder?: string;
  /** The program in the folder of Python's programs. */
  readonly program: string;
  listArguments(model: string, port: number): readonly string[];
}

/** Describes a release of llama.cpp's server, with a model that the script makes. */
export function llamaCppServer({ requirement, embedder, program, listArguments, ...named }: LlamaCppRelease) {
  return {
    ...named,
    profile: "llama.cpp",
    prompts: { ...TINY_PROMPTS, answersForAnyModel: true },
    window: 2048,
    async start(folder) {
      const bin = installPython(folder, [requirement, "gguf==0.19.0", "numpy==2.4.6"]);
      mkdirSync(folder, { recursive: true });
      const model = writeTinyModel(bin, join(folder, "tiny.gguf"));
      const port = await freePort();
      const running = startProgram(folder, join(bin, program), [...listArguments(model, port)]);
      const url = `http://127.0.0.1:${port}`;
      await untilReady(`${url}/health`, 180);
      return {
        ...(embedder !== undefined && { embedder }),
        countsTokens: true,
        routes: { chat: `${url}/v1`, responses: `${url}/v1`, messages: url },
        async isIdle() {
          const slots = (await (await fetch(`${url}/slots`)).json()) as { is_processing: boolean }[];
          return slots.every(({ is_processing: isBusy }) => !isBusy);
        },
        ...running,
      };
    },
  } satisfies TestedServer;
}
