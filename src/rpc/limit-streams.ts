import { Code, ConnectError } from "@connectrpc/connect";

/** Returns what hands on a stream as it is, for so many at a time; the next one is refused with RESOURCE_EXHAUSTED. */
export function limitStreams(most: number): <T>(stream: AsyncIterable<T>) => AsyncGenerator<T> {
  let open = 0;
  return async function* limited(stream) {
    if (open >= most) {
      throw new ConnectError(
        `${most} streams of this method are open already: try again later`,
        Code.ResourceExhausted,
      );
    }
    open += 1;
    try {
      yield* stream;
    } finally {
      open -= 1;
    }
  };
}
