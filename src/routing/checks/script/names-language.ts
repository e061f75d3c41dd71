/**
 * Parts of words by which a prompt may ask for another language than its own, or for what is written in one: to translate, the names of languages
 * and scripts and of the countries that go by the same stem, texts in the original, songs. Stems are short on purpose: a prompt in which one is found by chance is not
 * judged, which costs nothing.
 */
const STEMS: readonly string[] = [
  // To translate, and languages as such, in languages of Latin letters.
  "translat|translit|romani[sz]|decod|localiz|localis|übersetz|uebersetz|tradu|trasl|vertaal|vertal|language|sprach|langue|langag|idiom|lingu|língu|\\btaal|alphabet|alfabet|abeced|\\bscript|\\bschrift|écrit|escrit|native|foreign|fremd|étrang|extranj|estrang|straniè|vreemd",
  "origin|lyric|liedtext|parole|\\bletra|\\btesto|anthem|hymn|quot|zitat|zitier|citation|\\bcita|poem|\\bvers|haiku|koran|quran|torah|talmud|sutra|veda|tattoo|calligra",
  // Languages and scripts of other letters.
  "\\bchin|\\bcines|mandarin|canton|taiwan|hong ?kong|hanzi|pinyin|\\bjap|giapp|nippo|kanji|kana\\b|romaji|anime|manga|korea|korei|koreo|\\bcorea|\\bcoré|hangul|hanja|k-?pop|\\bruss|\\brus[oi]|cyril|kyril|ciril|ukra[ii]n|ucran|ucrain|oekra|belarus|bielo|bulgar|búlgar|\\bserb|macedon|mazedon|mongol|kazak|kasach|\\bslav|soviet|sowjet",
  "greek|greec|griech|\\bgrec|\\bgréc|grieg|griek|hellen|\\barab|\\bárab|egypt|islam|muslim|\\bpersi[ast]|\\bpersan|farsi|\\biran|\\burdu|pashto|pakistan|afghan|hebr|hébr|ebrai|israel|yiddish|jiddisch|hindi|hindu|sanskrit|sánscr|devanag|\\bindi[ae]|\\binde\\b|nepal|marathi|\\bthai|tailand|\\bsiam",
  // Russian, Ukrainian, Bulgarian.
  "перев|перекл|превод|превед|язык|язи|мов[аіиоу]|език|англ|немец|нiме|німе|герман|франц|испан|іспан|итал|італ|латин|латы|португ|польск|турец|кита|япон|коре|араб|грец|гречес|грък|иврит|евре|хинди|инди|тайск|оригинал|оригінал|транс|латиниц|иностран|инозем|чужд|песн|пісн|стих|вірш|цитат|гимн|гімн",
  // Chinese and Japanese.
  "[译譯訳翻英语語]|文字|原文|外国|外國|国外|法文|德文|中文|俄文|日文|韩文|韓文|拉丁|罗马|羅馬|ローマ|拼音|歌词|歌詞|诗|詩|俳句|名言|引用",
  // Korean.
  "번역|영어|영문|영작|언어|외국|원문|라틴|불어|독일|독어|스페인|프랑스|중국|일본|한자|일어|러시아|아랍|로마자|가사|시를|명언|인용",
  // Arabic, Persian.
  "ترجم|لغ|الإنجليز|الانجليز|إنجليز|انجليز|انگلیس|لاتين|لاتین|فرنس|فرانس|ألمان|آلمان|إسبان|اسپان|روس|صين|چین|ياب|ژاپن|أصل|اصل|زبان|قصيد|شعر|أغني|اقتبا",
  // Hebrew.
  "תרג|שפ[הות]|אנגלי|לועזי|לטיני|צרפת|גרמני|ספרד|רוסי|ערבי|סיני|יפני|מקור|שיר|ציטו",
  // Hindi.
  "अनुवाद|अंग्रे|अँग्रे|भाषा|इंग्लिश|रोमन|मूल|फ़्रें|फ्रें|जर्मन|चीनी|रूसी|उर्दू|कविता|गीत|गाना",
  // Thai.
  "แปล|ภาษา|อังกฤษ|โรมัน|ต้นฉบับ|จีน|ญี่ปุ่น|เกาหลี|ฝรั่ง|เพลง|กลอน|คำคม",
  // Greek.
  "μετάφρ|μεταφρ|γλώσσ|γλωσσ|αγγλ|λατιν|γαλλ|γερμαν|ισπαν|ιταλ|ρωσ|κινέζ|κινεζ|ιαπων|αραβ|εβρα|πρωτότυπ|πρωτοτυπ|ποίημ|ποιημ|τραγού|στίχ",
];

const NAMES = new RegExp(STEMS.join("|"), "iu");

/** Whether a prompt may ask for an answer in another language than its own. */
export function namesLanguage(text: string): boolean {
  return NAMES.test(text);
}
