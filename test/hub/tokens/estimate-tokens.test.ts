import { readFileSync } from "node:fs";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { estimateTextTokens } from "../../../src/hub/tokens/estimate-text.ts";
import { boundInputTokens, estimateInputTokens } from "../../../src/hub/tokens/estimate-tokens.ts";
import { MESSAGE_TOKENS } from "../../../src/hub/tokens/prompt-parts.ts";
import { loadTokenizer } from "../../../src/hub/tokens/tokenizer.ts";
import { getVocabulary } from "../../../src/hub/tokens/vocabulary.ts";
// Counted by compat/tools/tokens/count.ts.
import samples from "./vocabularies.json" with { type: "json" };

type Input = MessageInitShape<typeof InferenceInputSchema>;
type Block = NonNullable<Input["system"]>[number];

const text = (value: string): Block => ({ kind: { case: "text", value: { text: value } } });
const said = (...content: Block[]): Input => ({ messages: [{ content }] });

// 3 tokens stand around a message, and 16 around a tool.
const cases: readonly (readonly [name: string, input: Input, tokens: number])[] = [
  ["an empty request, which is still a prompt", {}, 1],
  ["a text of 9 characters", said(text("Say hello")), 6],
  ["the system prompt and the messages together", { system: [text("Be nice.")], ...said(text("1234")) }, 8],
  ["a call: name and arguments", said({ kind: { case: "toolUse", value: { name: "look", arguments: "{}{}" } } }), 6],
  ["a result", said({ kind: { case: "toolResult", value: { content: [text("12345678")] } } }), 6],
  ["thinking: summary and text", said({ kind: { case: "thinking", value: { summary: ["1234"], text: "5678" } } }), 7],
  ["a refusal", said({ kind: { case: "refusal", value: { text: "1234" } } }), 5],
  ["a document of text", said({ kind: { case: "document", value: { source: { case: "text", value: "12345" } } } }), 5],
  [
    "a document of blocks",
    said({ kind: { case: "document", value: { source: { case: "content", value: { blocks: [text("12345")] } } } } }),
    5,
  ],
  [
    "an image, whose tokens its bytes do not tell",
    said({
      kind: {
        case: "image",
        value: { source: { case: "inline", value: { mediaType: "image/png", base64: "A".repeat(400) } } },
      },
    }),
    3,
  ],
  [
    "a block that only one format knows",
    said({ kind: { case: "opaque", value: { dialect: Dialect.MESSAGES, json: '{"a":1}' } } }),
    8,
  ],
  [
    "tools: names, descriptions and schemas",
    {
      tools: [
        { kind: { case: "function", value: { name: "look", description: "Look", parametersJson: "{}" } } },
        { kind: { case: "custom", value: { name: "ab" } } },
        { kind: { case: "opaque", value: { dialect: Dialect.RESPONSES, json: "{  }" } } },
      ],
    },
    55,
  ],
];

/** Texts with their tokens in the o200k vocabulary. */
const SCRIPTS: readonly (readonly [script: string, text: string, tokens: number])[] = [
  [
    "simplified Chinese",
    "请把下面这段文字翻译成英文,并且保持原来的语气。我们公司在过去的三年里一直在开发一种新的数据库系统,它能够在多台机器之间自动分配负载。用户普遍反映,这个系统的速度比以前快了很多,而且更加稳定。不过,也有一些问题需要解决,比如安装过程过于复杂,文档不够完整。",
    90,
  ],
  [
    "traditional Chinese",
    "請把下面這段文字翻譯成英文,並且保持原來的語氣。我們公司在過去的三年裡一直在開發一種新的資料庫系統,它能夠在多台機器之間自動分配負載。使用者普遍反映,這個系統的速度比以前快了很多,而且更加穩定。",
    87,
  ],
  [
    "Japanese",
    "次の文章を英語に翻訳してください。私たちの会社は過去三年間、新しいデータベースシステムを開発してきました。このシステムは複数のマシンの間で負荷を自動的に分散することができます。利用者からは、以前よりもずっと速く、安定しているという声が寄せられています。しかし、インストールの手順が複雑であるなど、解決すべき問題も残っています。",
    116,
  ],
  [
    "Korean",
    "다음 글을 영어로 번역해 주세요. 우리 회사는 지난 삼 년 동안 새로운 데이터베이스 시스템을 개발해 왔습니다. 이 시스템은 여러 대의 기계 사이에서 부하를 자동으로 분산할 수 있습니다. 사용자들은 예전보다 훨씬 빠르고 안정적이라고 말합니다. 그러나 설치 과정이 복잡하고 문서가 충분하지 않다는 문제가 있습니다.",
    84,
  ],
  [
    "Yoruba",
    "Gbogbo ènìyàn ni a bí ní òmìnira; iyì àti ẹ̀tọ́ kọ̀ọ̀kan sì dọ́gba. Wọ́n ní ẹ̀bùn ti làákàyè àti ti ẹ̀rí-ọkàn, ó sì yẹ kí wọn ó máa hùwà sí ara wọn gẹ́gẹ́ bí ọmọ ìyá. Ẹnì kọ̀ọ̀kan ló ní àǹfàní sí gbogbo ẹ̀tọ́ àti òmìnira tí a ti gbé kalẹ̀ nínú ìkéde yìí láìfi ti ọ̀rọ̀ ìyàtọ̀ ẹ̀yà kankan ṣe.",
    146,
  ],
  [
    "Igbo",
    "A mụrụ mmadụ nile n'ohere nakwa nha anya ugwu na ikike. E nyere ha uche na mmụọ ime ihe ziri ezi nke na ha kwesịrị ịkpaso ibe ha agwa dịka ụmụnna. Ụmụaka ahụ gara ahịa zụta akwụkwọ na mkpịsị akwụkwọ, onye nkuzi ha gwara ha ka ha laghachi ngwa ngwa.",
    80,
  ],
  [
    "Bulgarian",
    "Потребителят трябва да потвърди заявката си в рамките на двадесет и четири часа, в противен случай системата автоматично отменя поръчката и възстановява сумата по сметката. При проблеми се свържете с отдела за поддръжка.",
    65,
  ],
  [
    "Macedonian",
    "Сите човечки суштества се раѓаат слободни и еднакви по достоинство и права. Тие се обдарени со разум и совест и треба да се однесуваат еден кон друг во духот на општо човечката припадност. Градот полека се будеше додека дождот ги миеше улиците.",
    80,
  ],
  [
    "Serbian",
    "Сва људска бића рађају се слободна и једнака у достојанству и правима. Она су обдарена разумом и свешћу и треба једни према другима да поступају у духу братства. Корисник мора потврдити захтев у року од двадесет четири сата.",
    79,
  ],
  [
    "Ukrainian",
    "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю і повинні діяти у відношенні один до одного в дусі братерства. Користувач повинен підтвердити запит протягом двадцяти чотирьох годин.",
    80,
  ],
  [
    "Mongolian",
    "Хүн бүр төрж мэндлэхдээ эрх чөлөөтэй, адилхан нэр төртэй, ижил эрхтэй байдаг. Оюун ухаан, нандин чанар заяасан хүн гэгч өөр хоорондоо ахан дүүгийн үзэл санаагаар харьцах учиртай. Хэрэглэгч хорин дөрвөн цагийн дотор захиалгаа баталгаажуулах ёстой.",
    92,
  ],
  [
    "Kazakh",
    "Барлық адамдар тумысынан азат және қадір-қасиеті мен құқықтары тең болып дүниеге келеді. Адамдарға ақыл-парасат, ар-ождан берілген, сондықтан олар бір-бірімен туыстық, бауырмалдық қарым-қатынас жасаулары тиіс.",
    66,
  ],
  [
    "Tajik",
    "Тамоми одамон озод ва аз лиҳози шарафу ҳуқуқ ба ҳам баробар ба дунё меоянд. Онҳо соҳиби ақлу виҷдонанд ва бояд бо якдигар муносибати бародарона дошта бошанд.",
    50,
  ],
  [
    "Hausa",
    "Su dai 'yan-adam, ana haifuwarsu ne duka 'yantattu, kuma kowannensu na da mutunci da hakkoki daidai da na kowa. Suna da hankali da tunani, saboda haka duk abin da za su aikata wa juna, ya kamata su yi shi a cikin 'yan-uwanci. Yara sun tafi kasuwa sun sayi littattafai da alkaluma, malaminsu ya ce su dawo da wuri.",
    101,
  ],
  [
    "Romanian",
    "Toate ființele umane se nasc libere și egale în demnitate și în drepturi. Ele sunt înzestrate cu rațiune și conștiință și trebuie să se comporte unele față de altele în spiritul fraternității.",
    58,
  ],
  [
    "Turkish",
    "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.",
    46,
  ],
  [
    "Azerbaijani",
    "Bütün insanlar ləyaqət və hüquqlarına görə azad və bərabər doğulurlar. Onların şüurları və vicdanları var və bir-birlərinə münasibətdə qardaşlıq ruhunda davranmalıdırlar.",
    52,
  ],
  [
    "Pashto",
    "د بشر ټول افراد آزاد نړۍ ته راځي او د حيثيت او حقوقو له پلوه سره برابر دي. ټول د عقل او وجدان خاوندان دي او يو له بل سره د ورورۍ په روحيې بايد چلند وکړي.",
    52,
  ],
  ["Lao", "ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ, ສິດທິ, ເສລີພາບແລະຄວາມສະເໝີພາບເທົ່າທຽມກັນ. ທຸກໆຄົນມີເຫດຜົນແລະຄວາມຄິດຄວາມເຫັນສ່ວນຕົວ.", 203],
  ["Tibetan", "འགྲོ་བ་མིའི་རིགས་རྒྱུད་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་ཆེ་མཐོངས་དང་ཐོབ་ཐང་གི་རང་དབང་འདྲ་མཉམ་དུ་ཡོད་ལ།", 133],
  [
    "Sinhala",
    "සියලු මනුෂ්‍යයෝ නිදහස්ව උපත ලබා ඇත. ගරුත්වයෙන් හා අයිතිවාසිකම්වලින් සමාන වෙති. යුක්ති අයුක්ති පිළිබඳ හැඟීමෙන් හා හෘදය සාක්ෂියෙන් යුත් ඔවුන්.",
    74,
  ],
  ["Odia", "ସବୁ ମନୁଷ୍ୟ ଜନ୍ମକାଳରୁ ସ୍ୱାଧୀନ ଏବଂ ମର୍ଯ୍ୟାଦା ଓ ଅଧିକାରରେ ସମାନ। ସେମାନଙ୍କଠାରେ ବିବେକ ଓ ବୁଦ୍ଧି ଅଛି ଏବଂ ପରସ୍ପର ପ୍ରତି ଭ୍ରାତୃଭାବ ରଖିବା ଉଚିତ।", 132],
  ["Punjabi", "ਸਾਰਾ ਮਨੁੱਖੀ ਪਰਿਵਾਰ ਆਪਣੀ ਮਹਿਮਾ, ਸ਼ਾਨ ਅਤੇ ਹੱਕਾਂ ਦੇ ਪੱਖੋਂ ਜਨਮ ਤੋਂ ਹੀ ਆਜ਼ਾਦ ਹੈ ਅਤੇ ਸੁਤੇ ਸਿੱਧ ਸਾਰੇ ਲੋਕ ਬਰਾਬਰ ਹਨ।", 49],
  [
    "Telugu",
    "ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును సమానులును నగుదురు. వారు వివేదన-అంతఃకరణ సంపన్నులగుటచే పరస్పరము భ్రాతృభావముతో వర్తింపవలయును.",
    77,
  ],
  ["Dhivehi", "ހުރިހާ އިންސާނުން ވެސް އުފަންވަނީ މިނިވަންކަމުގައި ހަމަހަމަކަމާއި އެކު އަދި ހަމަހަމަ ޙައްޤުތަކަކާއި އެކުގައެވެ.", 211],
  [
    "Syriac",
    "ܟܠ ܒܪܢܫܐ ܒܪܝܠܗ ܚܐܪܐ ܘܒܪܒܪ ܓܘ ܐܝܩܪܐ ܘܙܕܩܐ. ܦܝܫܝܠܗ ܝܗܝܒܐ ܗܘܢܐ ܘܐܢܝܬ. ܒܘܕ ܕܐܗܐ ܓܫܩܬܝ ܥܠ ܐܚܪܢܐ ܓܪܓ ܗܘܝܐ ܒܚܕ ܪܘܚܐ ܕܐܚܢܘܬܐ.",
    210,
  ],
  ["Cherokee", "ᏂᎦᏓ ᎠᏂᏴᏫ ᏂᎨᎫᏓᎸᎾ ᎠᎴ ᎤᏂᏠᏱ ᎤᎾᏕᎿ ᏚᏳᎧᏛ ᎨᏒᎢ. ᎨᏥᏁᎳ ᎤᎾᏓᏅᏖᏗ ᎠᎴ ᎤᏃᏟᏍᏗ.", 154],
  ["Tifinagh", "ⵉⵎⴷⴰⵏⴻⵏ, ⴰⴽⴽⴻⵏ ⵎⴰ ⵍⵍⴰⵏ ⵜⵜⵍⴰⵍⴻⵏ ⴷ ⵉⵍⴻⵍⵍⵉⵢⴻⵏ ⵎⵙⴰⵡⴰⵏ ⴷⵉ ⵍⵃⵡⴻⵔⵎⴰ ⴷ ⵢⵉⵣⴻⵔⴼⴰⵏ.", 177],
  ["Yi", "ꊿꂷꃅꄿꐨꐥ,ꌅꅍꂷꀋꐚꌠꅇꊿꁱꂷꀋꐚꌠꌋꆀꄻꁧꃅꐥꌐ。", 80],
  [
    "Mongolian's own letters",
    "ᠬᠦᠮᠦᠨ ᠪᠦᠷ ᠲᠥᠷᠥᠵᠦ ᠮᠡᠨᠳᠡᠯᠡᠬᠦ ᠡᠷᠬᠡ ᠴᠢᠯᠥᠭᠡ ᠲᠡᠢ᠂ ᠠᠳᠠᠯᠢᠬᠠᠨ ᠨᠡᠷ᠎ᠡ ᠲᠥᠷᠥ ᠲᠡᠢ᠂ ᠢᠵᠢᠯ ᠡᠷᠬᠡ ᠲᠡᠢ ᠪᠠᠢᠠᠭ᠃",
    239,
  ],
  ["Santali", "ᱡᱚᱛᱚ ᱦᱚᱲ ᱠᱚ ᱯᱷᱩᱨᱜᱟᱹᱞ ᱮ ᱵᱟᱝ ᱠᱚ ᱡᱟᱱᱟᱢ ᱟᱠᱟᱱᱟ ᱟᱨ ᱢᱟᱹᱱ ᱟᱨ ᱟᱹᱭᱫᱟᱹᱨ ᱨᱮ ᱥᱚᱢᱟᱱ ᱜᱮᱭᱟ.", 193],
  [
    "German compounds",
    "Die Bundesausbildungsförderungsgesetzänderung und die Kraftfahrzeughaftpflichtversicherung wurden gestern im Verkehrsinfrastrukturausschuss besprochen. Der Rindfleischetikettierungsüberwachungsaufgabenübertragungsentwurf liegt dem Landwirtschaftsministerium vor.",
    56,
  ],
  [
    "mathematics",
    "∀ε>0 ∃δ>0: |x−a|<δ ⇒ |f(x)−f(a)|<ε. ∑ᵢ₌₁ⁿ i² = n(n+1)(2n+1)/6, ∂u/∂t = α∇²u, A∩B ⊆ A∪B, x ∈ ℝ, √2 ≈ 1.41421, π ≠ 22⁄7",
    105,
  ],
  ["APL", "life←{⊃1 ⍵∨.∧3 4=+/,¯1 0 1∘.⊖¯1 0 1∘.⌽⊂⍵} ⋄ primes←{(~⍵∊⍵∘.×⍵)/⍵←1↓⍳⍵} ⋄ avg←{(+⌿⍵)÷≢⍵}", 101],
  ["emoji", "🌍🚀😀👍🏽🎉🔥💯❤️🙏✨", 16],
  [
    "capitals of Russian",
    "ВСЕ ЛЮДИ РОЖДАЮТСЯ СВОБОДНЫМИ И РАВНЫМИ В СВОЕМ ДОСТОИНСТВЕ И ПРАВАХ. ОНИ НАДЕЛЕНЫ РАЗУМОМ И СОВЕСТЬЮ.",
    62,
  ],
  ["capitals of Greek", "ΟΛΟΙ ΟΙ ΑΝΘΡΩΠΟΙ ΓΕΝΝΙΟΥΝΤΑΙ ΕΛΕΥΘΕΡΟΙ ΚΑΙ ΙΣΟΙ ΣΤΗΝ ΑΞΙΟΠΡΕΠΕΙΑ ΚΑΙ ΤΑ ΔΙΚΑΙΩΜΑΤΑ.", 66],
  ["Hebrew with points", "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים אֵ֥ת הַשָּׁמַ֖יִם וְאֵ֥ת הָאָֽרֶץ׃ וְהָאָ֗רֶץ הָיְתָ֥ה תֹ֙הוּ֙ וָבֹ֔הוּ", 102],
  ["Braille", "⠠⠁⠇⠇ ⠓⠥⠍⠁⠝ ⠃⠑⠊⠝⠛⠎ ⠁⠗⠑ ⠃⠕⠗⠝ ⠋⠗⠑⠑ ⠁⠝⠙ ⠑⠟⠥⠁⠇ ⠊⠝ ⠙⠊⠛⠝⠊⠞⠽", 129],
  ["letters of full width", "Ａｌｌ　ｈｕｍａｎ　ｂｅｉｎｇｓ　ａｒｅ　ｂｏｒｎ　ｆｒｅｅ，１９４８年１２月１０日", 56],
  ["letters of mathematics", "𝐀𝐥𝐥 𝐡𝐮𝐦𝐚𝐧 𝐛𝐞𝐢𝐧𝐠𝐬 𝒂𝒓𝒆 𝒃𝒐𝒓𝒏 𝕗𝕣𝕖𝕖", 66],
  ["rare ideographs", "𠀋𡈽𡌛𡑮𡢽𠮟𡚴𡸴𣇄𣗄𣜿𣝣𣳾𤟱𥒎𥔎𥝱𥧄𥶡𦫿𦹀𧃴𧚄", 91],
  ["private use", String.fromCodePoint(...Array.from({ length: 30 }, (_, at) => 0xe0a0 + at * 37)), 90],
  ["kana of half width", "ｽﾍﾞﾃﾉﾆﾝｹﾞﾝﾊｳﾏﾚﾅｶﾞﾗﾆｼﾃｼﾞﾕｳﾃﾞｱﾘ", 52],
  [
    "Korean in its letters, as macOS writes names of files",
    "모든 인간은 태어날 때부터 자유로우며".normalize("NFD"),
    115,
  ],
  ["blocks", "█▓▒░ ▁▂▃▄▅▆▇█ ▏▎▍ ░░▒▒▓▓██", 31],
  ["signs of Latin", "5 °C ± ½ µm × ¾ ÷ £4 §3 «ja» ¿qué? ©®", 25],
  ["digits in circles", "①②③④⑤ ⑥⑦⑧ ⒶⒷⒸ", 19],
  ["many line breaks", "\n".repeat(300), 20],
  ["many tabs", "\t".repeat(300), 19],
  ["genes", "gattacaggtcaacgtagctaagctagatcgatcgatacaggattaccgatcagctaacg", 27],
  ["families of emoji", "👩‍👩‍👧‍👦👩🏽‍💻🏳️‍🌈👨‍🚒👩‍🔬🧑‍🚀👨‍👩‍👧", 48],
  ["marks upon marks", "h̷̢̛̟e̴͓̕l̶̡͝l̵̰̈́o̸̙̊ w̷̙̏o̵̜̔r̶̨̛l̴̰͐d̷̡̚", 71],
];

describe("estimateInputTokens()", () => {
  it.each(cases)("counts %s", (_name, input, tokens) => {
    expect(estimateInputTokens(create(InferenceInputSchema, input))).toBe(tokens);
  });

  it.each(SCRIPTS)("is right to a third for %s", (_script, value, tokens) => {
    for (const times of [1, 20]) {
      const estimate = estimateInputTokens(create(InferenceInputSchema, said(text(value.repeat(times)))));
      expect(estimate / (tokens * times)).toBeGreaterThan(0.75);
      expect(estimate / (tokens * times)).toBeLessThan(1.34);
    }
  });

  const random = (() => {
    let seed = 7;
    return (most: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * most);
    };
  })();
  const digits = (count: number) => Array.from({ length: count }, () => random(10)).join("");
  const many = (count: number, make: () => string) => Array.from({ length: count }, make).join("\n");

  it.each<[string, string]>([
    [
      "tables",
      many(80, () => `| row ${digits(1)} | ${digits(2)}.${digits(2)} | ${digits(3)} | ${digits(4)}.${digits(2)} |`),
    ],
    [
      "logs",
      many(
        60,
        () =>
          `2026-11-1${digits(1)}T0${digits(1)}:${digits(2)}Z [INFO] 10.${digits(2)}:${digits(5)} GET /v1/items/${digits(9)} 200`,
      ),
    ],
    ["digits", many(80, () => digits(50))],
    ["hex", many(40, () => Array.from({ length: 64 }, () => "0123456789abcdef"[random(16)]).join(""))],
    [
      "English",
      "The harbour was quiet when the first boats came back, and nobody asked how the night had been. ".repeat(40),
    ],
    [
      "English behind a short head of JSON",
      `{"way":"019ace24-6e2b-7c1a-9f30-2b7d4e8a61c5","scripts":{"patient":{"hiddenMs":5000,"begins":true},"hasty":{}}}\n${"The harbor was quiet when the first boats came back, and nobody asked how the night had been. ".repeat(18)}`,
    ],
    ["code", readFileSync("src/inference/run/inference-run.ts", "utf8")],
    [
      "JSON",
      many(
        60,
        () =>
          `{ "id": ${digits(6)}, "name": "harbor ${digits(2)}", "price": ${digits(2)}.${digits(2)}, "tags": ["quiet", "north"], "isOpen": true, "url": "https://example.com/items/${digits(5)}" },`,
      ),
    ],
    ["Arabic", "مرحبا بالعالم. الطقس جميل اليوم ونحن ذاهبون إلى الحديقة للتنزه مع الأصدقاء والعائلة. ".repeat(20)],
    ["mixed", 'User: 今天天气 how is it? مرحبا {"a": 12345, "b": [1,2,3]} https://example.com/path?x=1 '.repeat(20)],
  ])("is right to 15 percent for %s", async (_kind, value) => {
    const { count } = await loadTokenizer();
    const counted = count(value);
    const estimate = estimateInputTokens(create(InferenceInputSchema, said(text(value))));
    expect(estimate / counted).toBeGreaterThan(0.85);
    expect(estimate / counted).toBeLessThan(1.15);
    const model = { name: "gpt-5.5", deployments: [] };
    const bound = boundInputTokens(create(InferenceInputSchema, said(text(value))), model);
    expect(bound / counted).toBeGreaterThan(0.95);
  });
});

/** Texts: article 1 of the Universal Declaration of Human Rights, with some of article 2. */
const UNCOMMON: readonly (readonly [language: string, text: string])[] = [
  [
    "Finnish",
    "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä. Jokainen on oikeutettu kaikkiin tässä julistuksessa esitettyihin oikeuksiin ja vapauksiin ilman minkäänlaista rotuun, väriin, sukupuoleen, kieleen, uskontoon, poliittiseen tai muuhun mielipiteeseen perustuvaa erotusta.",
  ],
  [
    "Hungarian",
    "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, ésszel és lelkiismerettel bírván, egymással szemben testvéri szellemben kell hogy viseltessenek. Mindenki, bármely megkülönböztetésre, nevezetesen fajra, színre, nemre, nyelvre, vallásra való tekintet nélkül hivatkozhat a jelen Nyilatkozatban kinyilvánított jogokra.",
  ],
  [
    "Indonesian",
    "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka dikaruniai akal dan hati nurani dan hendaknya bergaul satu sama lain dalam semangat persaudaraan.",
  ],
  [
    "Swahili",
    "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri, hivyo yapasa watendeane kindugu. Kila mtu anastahili kuwa na haki zote na uhuru wote ambao umeelezwa katika taarifa hii bila ya ubaguzi wa rangi, taifa, wanaume kwa wanawake, dini, siasa, fikara.",
  ],
  [
    "Turkish",
    "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler. Herkes, ırk, renk, cinsiyet, dil, din, siyasi veya diğer herhangi bir akide farkı gözetilmeksizin işbu Beyannamede ilan olunan tekmil haklardan istifade edebilir.",
  ],
  [
    "Vietnamese",
    "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều được tạo hoá ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình anh em. Mọi người đều được hưởng tất cả những quyền và tự do nêu trong bản Tuyên ngôn này, không phân biệt chủng tộc, màu da, giới tính, ngôn ngữ, tôn giáo, quan điểm chính trị.",
  ],
  [
    "Persian",
    "تمام افراد بشر آزاد زاده می\u200cشوند و از لحاظ حیثیت و کرامت و حقوق با هم برابرند. همگی دارای عقل و وجدان هستند و باید با یکدیگر با روحیه\u200cای برادرانه رفتار کنند. هر کس می\u200cتواند بدون هیچ\u200cگونه تمایز از حیث نژاد، رنگ، جنس، زبان، مذهب، عقیدهٔ سیاسی از تمام حقوق و آزادی\u200cها بهره\u200cمند گردد.",
  ],
  [
    "Croatian",
    "Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima. Ona su obdarena razumom i sviješću i trebaju jedna prema drugima postupati u duhu bratstva. Korisnik mora potvrditi narudžbu u roku od dvadeset četiri sata, inače se ona poništava.",
  ],
  [
    "Guarani",
    "Mayma yvypóra ou ko yvy ári iñapytĩ'yre ha peteĩcha tekoruvicharenda ha akatúape jeguerekópe; ha ikatu rupi oikuaa añetéva ha añete'ỹva, iporãva ha ivaíva, tekotevẽ pehenguéicha oiko oñondivekuéra.",
  ],
  [
    "Quechua",
    "Tukuy runan kay pachaman paqarimun libre kasqanmanta, allin kausaypi kananpaq, chaymantapas derechonkunawan. Runaqa yuyayniyoq, sonqoyoq ima kasqanrayku, wawqentin hina kawsanan, qellqasqa kamachikuykunata hunt'aspa.",
  ],
  [
    "Kurdish",
    "Hemû mirov azad û di weqar û mafan de wekhev tên dinyayê. Ew xwedî hiş û şuûr in û divê li hember hev bi zihniyeteke bratiyê bilivin. Divê bikarhêner daxwaza xwe di nav bîst û çar saetan de piştrast bike.",
  ],
  [
    "Japanese",
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。",
  ],
  [
    "decomposed Vietnamese",
    "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều được tạo hóa ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu.".normalize(
      "NFD",
    ),
  ],
  ["no language: base32", "GEZDGNBVGY3TQOJQMFRGGZDFMZTWQ2LKNNWG23TPOBYXE43UOV3HO6DZPJAUEQ2EIVDEO".repeat(4)],
];

describe("estimates of prose in languages that vocabularies cut into pieces", () => {
  it.each(UNCOMMON)(
    "are right to 20 percent for %s, and the bound is not 5 percent under",
    async (_language, value) => {
      const { count } = await loadTokenizer();
      const ratio = estimateTextTokens(value) / count(value);
      expect([ratio > 0.8, ratio < 1.2, ratio]).toEqual([true, true, ratio]);
      const input = create(InferenceInputSchema, said(text(value)));
      expect(boundInputTokens(input, { name: "gpt-5.5", deployments: [] }) / count(value)).toBeGreaterThan(0.95);
    },
  );
});

describe("estimates by vocabulary", () => {
  it.each(samples)("of $kind are right to 15 percent for o200k, and no bound is 5 percent under", (sample) => {
    expect(Object.keys(sample.tokens)).toHaveLength(6);
    for (const [name, tokens] of Object.entries(sample.tokens)) {
      const model = { name, deployments: [] };
      const input = create(InferenceInputSchema, said(text(sample.text)));
      const framed = tokens + MESSAGE_TOKENS;
      expect([name, boundInputTokens(input, model) / framed >= 0.95]).toEqual([name, true]);
      if (name !== "gpt-5.5") continue;
      const ratio = estimateTextTokens(sample.text) / tokens;
      expect([ratio > 0.85, ratio < 1.15, ratio]).toEqual([true, true, ratio]);
    }
  });

  it("of a long conversation are right to 15 percent by fewer windows of each text", async () => {
    const { count } = await loadTokenizer();
    const texts = Array.from({ length: 120 }, (_, at) => samples[at % samples.length]?.text.repeat(3) ?? "");
    const messages = texts.map((value) => ({ content: [text(value)] }));
    const counted = texts.reduce((total, value) => total + count(value) + MESSAGE_TOKENS, 0);
    const ratio = estimateInputTokens(create(InferenceInputSchema, { messages })) / counted;
    expect([ratio > 0.85, ratio < 1.15, ratio]).toEqual([true, true, ratio]);
  });

  it.each([
    [{ name: "mine", deployments: [{ model: "Qwen/Qwen3-8B" }] }, 1],
    [{ name: "openai/gpt-oss-120b", deployments: [] }, 3],
    [{ name: "claude-opus-4-6", deployments: [] }, 3],
  ])("know the digits of %j", (model, digitsPerToken) => {
    expect(getVocabulary(model).digitsPerToken).toBe(digitsPerToken);
  });
});
