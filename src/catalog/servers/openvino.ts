import type { Server } from "../server.ts";

/** OpenVINO Model Server, whose routes are below /v3. */
export const openvino = {
  at: [],
  runsWeights: true,
  sources: [
    {
      at: "openvinotoolkit/model_server, src/mediapipe_internal: a model that it does not have is a graph that is not found",
      on: "2026-11-30",
      basis: "reported",
      tells: ["errors"],
    },
  ],
  facts: {
    errors: [{ message: "^mediapipe graph definition with requested name is not found", means: "model_not_found" }],
  },
} as const satisfies Server;
