import type { Server } from "../server.ts";

/** llama.cpp. */
export const llamaCpp = {
  at: [],
  runsWeights: true,
  sources: [
    {
      at: "llama-server b10434: thoughts stay in the text where it does not know the template",
      on: "2026-11-30",
      basis: "run",
      tells: ["thinkTags"],
    },
    {
      at: "llama-server b10434: Messages reads the text of a turn before the results of tools in it",
      on: "2026-11-29",
      basis: "run",
      tells: ["mixesResults"],
    },
    {
      at: "tools/server/server-common.cpp and server-context.cpp of b11549: a picture without mmproj and an input beyond the batch are 500",
      on: "2026-11-29",
      basis: "run",
      tells: ["errors"],
    },
    {
      at: "llama-server b10434 and b11549: cut Responses say completed; Responses and Messages ignore schemas",
      on: "2026-11-28",
      basis: "run",
      tells: ["tellsCuts", "ignored"],
    },
    {
      at: "ggml-org/llama.cpp#13196: chat_template_kwargs of a request; efforts on the route of Responses",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["thinkingSwitch", "efforts"],
    },
    {
      at: "ggml-org/llama.cpp, tools/server and common/chat.cpp: tool_choice is a word, max_tokens is taken by all",
      on: "2026-11-27",
      basis: "read",
      tells: ["limitMember", "toolChoices", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolChoices: "words",
    toolKinds: "functions",
    thinkingSwitch: "chat_template_kwargs",
    thinkTags: true,
    errors: [
      { message: "^(?:image|audio|video) input is not supported", means: "invalid_request" },
      { message: "^tools param requires --jinja", means: "route_not_found" },
      { message: "^input \\(\\d+ tokens\\) is too large to process", means: "context_length" },
    ],
  },
  routes: {
    responses: { tellsCuts: false, efforts: [], thinkingSwitch: "none", ignored: ["output_format"] },
    // It reads the text of a turn before the results of tools that stand before it.
    messages: { ignored: ["output_format"], mixesResults: false },
  },
} as const satisfies Server;
