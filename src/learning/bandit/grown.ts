/** Returns a longer copy of the numbers, with zeros at its end. */
export function grown(values: Float64Array, length: number): Float64Array {
  const longer = new Float64Array(length);
  longer.set(values);
  return longer;
}
