import { answerTasks } from "../../lib/tasks/answer-tasks.ts";
import { PartCounter } from "./part-counter.ts";
import type { PromptExcerpt } from "./prompt-excerpt.ts";
import { loadTokenizer } from "./tokenizer.ts";

answerTasks({
  async count({ parts, restLength }: PromptExcerpt): Promise<number> {
    const counter = new PartCounter(await loadTokenizer());
    let tokens = 0;
    for (const part of parts) {
      const counting = counter.count(part);
      let step = counting.next();
      while (step.done !== true) step = counting.next();
      tokens += step.value;
    }
    return tokens + counter.estimate(restLength);
  },
});
