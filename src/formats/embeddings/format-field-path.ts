const NAMES: Readonly<Record<string, string>> = {
  texts: "input",
  token_inputs: "input",
  encoding: "encoding_format",
  end_user_id: "user",
};

/** Spells a place in a CreateEmbeddingsRequest as clients of the format write it: `texts[3]` is `input[3]`. */
export function formatFieldPath(place: string): string {
  const spelled = place.replace(/^[a-z_]+/, (name) => NAMES[name] ?? name);
  return spelled.replace(/\.tokens(?=\[|$)/, "");
}
