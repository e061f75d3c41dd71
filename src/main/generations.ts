import type { Config } from "../config/config.ts";
import type { InFlight } from "../inference/run/in-flight.ts";
import type { InferenceService } from "../inference/run/service.ts";
import { closeGeneration, type Generation } from "./generation.ts";

/** A generation with its service. */
interface Serving {
  readonly generation: Generation;
  readonly inference: InferenceService;
  /** Calls of the service that have not settled. */
  calls: number;
  /** Called when it has none left. */
  onIdle: (() => void) | undefined;
}

/**
 * The generation that new requests are served by. Requests that are under way at a reload end by the generation that
 * they began with, which is closed after the last of them.
 */
export class Generations {
  readonly #open: (config: Config) => Promise<Generation>;
  readonly #createInference: (generation: Generation) => InferenceService;
  readonly #inFlight: InFlight;
  readonly #closing = new Set<Promise<void>>();
  #serving: Serving;

  constructor(
    first: Generation,
    ports: {
      readonly open: (config: Config) => Promise<Generation>;
      readonly createInference: (generation: Generation) => InferenceService;
      readonly inFlight: InFlight;
    },
  ) {
    this.#open = ports.open;
    this.#createInference = ports.createInference;
    this.#inFlight = ports.inFlight;
    this.#serving = this.#serve(first);
  }

  get current(): Generation {
    return this.#serving.generation;
  }

  /** The service of the current generation. */
  readonly inference: InferenceService = {
    generate: (...parameters) => this.#call((inference) => inference.generate(...parameters)),
    stream: (...parameters) => this.#call((inference) => inference.stream(...parameters)),
    begin: (...parameters) => this.#call((inference) => inference.begin(...parameters)),
    countTokens: (...parameters) => this.#call((inference) => inference.countTokens(...parameters)),
  };

  /** Serves by another configuration from now on. Rejects, and changes nothing, if it cannot be opened. */
  async reload(config: Config): Promise<void> {
    const next = this.#serve(await this.#open(config));
    const former = this.#serving;
    this.#serving = next;
    const closing = this.#close(former).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  /** Closes all generations, once nothing is under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#closing, closeGeneration(this.#serving.generation)]);
  }

  #serve(generation: Generation): Serving {
    return { generation, inference: this.#createInference(generation), calls: 0, onIdle: undefined };
  }

  async #call<T>(work: (inference: InferenceService) => Promise<T>): Promise<T> {
    const serving = this.#serving;
    serving.calls += 1;
    try {
      return await work(serving.inference);
    } finally {
      serving.calls -= 1;
      if (serving.calls === 0) serving.onIdle?.();
    }
  }

  async #close(serving: Serving): Promise<void> {
    if (serving.calls > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      serving.onIdle = resolve;
      await promise;
    }
    // Answers in the background, and calls that go on for others, outlast the calls that began them.
    await this.#inFlight.thoseEnded();
    await closeGeneration(serving.generation);
  }
}
