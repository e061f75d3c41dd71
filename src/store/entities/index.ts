import { ApiKey } from "./api-key.ts";
import { FeedbackEntry } from "./feedback-entry.ts";
import { Inference } from "./inference.ts";
import { InferenceBody } from "./inference-body.ts";
import { Project } from "./project.ts";

/** Every entity of the database. */
export const ENTITIES = [Project, ApiKey, Inference, InferenceBody, FeedbackEntry] as const;
