/** Words that no text of these languages does without, but for those that languages of programs and queries have too: `select a from b where c is not d` is no prose. */
const FUNCTION_WORDS: readonly ReadonlySet<string>[] = [
  // English
  "the of to a it you that he was are i his they be at one had what how why can we does will my me please about who your an there their should would",
  // German
  "der die das und ist ich nicht ein eine einen einem einer zu den dem des mit auf für von im sich es wie was wer wo wann warum kann sie wir auch bitte mir mein meine sind über als an oder wenn",
  // French
  "le la les de des du un une et est en que qui dans pour pas ce cette je tu il elle nous vous sur avec au aux par plus se quel quelle comment pourquoi où mon ma mes ou ne sont à l d",
  // Spanish
  "el la los las de un una y es en que qué por para con se su lo como cómo más mi me al está son quién cuál cuándo dónde o sobre este esta puedo",
  // Portuguese
  "o a os de da dos das um uma e é em que na nos nas por para com não se seu sua como mais meu minha ao são qual quando onde ou sobre este esta posso",
  // Italian
  "il lo la i gli le di della dei delle un una e è che per con non si su come più mio mia mi al alla sono quale quando dove o questo questa posso perché",
  // Dutch
  "de het een en van dat op te zijn met voor niet aan er om ook als dan ik je wij we hoe wat wie waar wanneer waarom kan mijn over door maar deze dit",
].map((words) => new Set(words.split(" ")));

const WORD = /\p{L}+/gu;
const LEAST_SHARE = 0.15;
const LEAST_DIFFERENT = 3;

/** Whether a text in Latin letters is prose of one of these languages: of its words, one of seven is one of that language's, and three different ones. */
export function isLatinProse(text: string): boolean {
  const words = [...text.toLowerCase().matchAll(WORD)].map(([word]) => word);
  return FUNCTION_WORDS.some((known) => {
    const found = words.filter((word) => known.has(word));
    return found.length >= LEAST_SHARE * words.length && new Set(found).size >= LEAST_DIFFERENT;
  });
}
