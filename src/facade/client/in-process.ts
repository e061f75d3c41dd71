import {
  create,
  type DescMethod,
  type DescService,
  isMessage,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import {
  type CallOptions,
  type Client,
  type ContextValues,
  createContextValues,
  type HandlerContext,
  type ServiceImpl,
} from "@connectrpc/connect";

type Handler = (request: unknown, context: HandlerContext) => unknown;

/**
 * Creates a client that calls a service's implementation with the message objects themselves: nothing is serialised and
 * nothing copied, so neither side changes a message after handing it over. Supports unary and server streaming methods.
 */
export function createInProcessClient<Service extends DescService>(
  service: Service,
  implementation: ServiceImpl<Service>,
): Client<Service> {
  const handlers = implementation as Record<string, Handler>;
  const client: Record<string, unknown> = {};
  for (const method of service.methods) {
    const handler = handlers[method.localName];
    if (handler === undefined) continue;
    const call = (request: MessageInitShape<typeof method.input>, options?: CallOptions) =>
      handler.call(implementation, toMessage(method, request), new InProcessContext(method, options));
    client[method.localName] = method.methodKind === "unary" ? toUnary(method, call) : call;
  }
  return client as Client<Service>;
}

/**
 * Creates the call of a handler that pushes its messages into a sink; as createInProcessClient(), without an iterator
 * between.
 */
export function createInProcessStream<Method extends DescMethod, Sink>(
  method: Method,
  handler: (request: MessageShape<Method["input"]>, context: HandlerContext, sink: Sink) => Promise<void>,
) {
  return (request: MessageInitShape<Method["input"]>, options: CallOptions, sink: Sink): Promise<void> => {
    const message = toMessage(method, request) as MessageShape<Method["input"]>;
    return handler(message, new InProcessContext(method, options), sink);
  };
}

function toMessage(method: DescMethod, request: MessageInitShape<DescMethod["input"]>): unknown {
  return isMessage(request, method.input) ? request : create(method.input, request);
}

function toUnary(method: DescMethod, call: (request: never, options?: CallOptions) => unknown) {
  return async (request: never, options?: CallOptions): Promise<unknown> => {
    const response = await call(request, options);
    return isMessage(response, method.output)
      ? response
      : create(method.output, response as MessageInitShape<typeof method.output>);
  };
}

/** The context of a call in process. Headers and values are made on demand: most calls need one of them. */
class InProcessContext implements HandlerContext {
  readonly service: DescService;
  readonly method: DescMethod;
  readonly protocolName = "in-process";
  readonly requestMethod = "POST";
  readonly url = "in-process:";
  readonly #options: CallOptions | undefined;
  #requestHeader: Headers | undefined;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;
  #signal: AbortSignal | undefined;
  #values: ContextValues | undefined;

  constructor(method: DescMethod, options: CallOptions | undefined) {
    this.method = method;
    this.service = method.parent;
    this.#options = options;
  }

  timeoutMs(): number | undefined {
    return this.#options?.timeoutMs;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#options?.signal ?? new AbortController().signal;
    return this.#signal;
  }

  get values(): ContextValues {
    this.#values ??= this.#options?.contextValues ?? createContextValues();
    return this.#values;
  }

  get requestHeader(): Headers {
    this.#requestHeader ??= new Headers(this.#options?.headers);
    return this.#requestHeader;
  }

  get responseHeader(): Headers {
    this.#responseHeader ??= new Headers();
    return this.#responseHeader;
  }

  get responseTrailer(): Headers {
    this.#responseTrailer ??= new Headers();
    return this.#responseTrailer;
  }
}
