import type { Topic } from "../topic.ts";
import { text } from "./text.ts";

/** Every topic, in the order of the matrix. */
export const topics: readonly Topic[] = [text];
