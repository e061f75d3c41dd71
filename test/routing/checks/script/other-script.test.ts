import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ContentBlockSchema, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { JudgedAnswer } from "../../../../src/inference/ports.ts";
import { createHubInput, type HubInit } from "../../../../src/lib/hub-input.ts";
import { withScriptCheck } from "../../../../src/routing/checks/script/other-script.ts";

type Block = MessageInitShape<typeof ContentBlockSchema>;

const text = (value: string): Block => ({ kind: { case: "text", value: { text: value } } });
const user = (...content: Block[]) => ({ role: Role.USER, content });
const assistant = (value: string) => ({ role: Role.ASSISTANT, content: [text(value)] });

const PASSED: JudgedAnswer = {
  verdict: { failed: [], passed: 3, isComplete: true, isProven: false, isRetryable: false },
  conclusion: undefined,
  words: new Map(),
  characters: 0,
};

/** What the check adds to what an answer failed. */
async function judge(init: HubInit, said: string, more: readonly Block[] = []): Promise<readonly string[]> {
  const answer = create(GenerateResponseSchema, {
    content: [text(said), ...more],
    finished: { reason: FinishReason.STOP },
  });
  const judged = await withScriptCheck(async () => PASSED, createHubInput(init))(answer, new AbortController().signal);
  expect(judged.verdict.isRetryable).toBe(false);
  return judged.verdict.failed;
}

const asking = (prompt: string): HubInit => ({ messages: [user(text(prompt))] });
const OTHER = ["other_script"];

/** Prompts that ask for nothing but an answer, and answers, each by the language that it is in. */
const PROMPTS = {
  en: "What is the best way to store tomatoes in the kitchen, and how long do they keep?",
  de: "Wie lagere ich Tomaten am besten in der Küche, und wie lange sind sie haltbar?",
  fr: "Quelle est la meilleure façon de conserver les tomates dans la cuisine, et pour combien de temps ?",
  es: "¿Cuál es la mejor manera de guardar los tomates en la cocina y cuánto tiempo duran?",
  pt: "Qual é a melhor maneira de guardar os tomates na cozinha e por quanto tempo duram?",
  it: "Qual è il modo migliore per conservare i pomodori in cucina e quanto durano?",
  nl: "Wat is de beste manier om tomaten in de keuken te bewaren, en hoe lang zijn ze goed?",
  ru: "Как лучше всего хранить помидоры на кухне и сколько времени они не портятся?",
  uk: "Як найкраще зберігати помідори на кухні і скільки часу вони не псуються?",
  el: "Ποιος είναι ο καλύτερος τρόπος να αποθηκεύω ντομάτες στην κουζίνα και πόσο κρατάνε;",
  ar: "ما هي أفضل طريقة لتخزين الطماطم في المطبخ وكم من الوقت تبقى صالحة؟",
  he: "מה הדרך הטובה ביותר לאחסן עגבניות במטבח וכמה זמן הן נשמרות?",
  hi: "रसोई में टमाटर रखने का सबसे अच्छा तरीका क्या है और वे कितने समय तक ठीक रहते हैं?",
  th: "วิธีที่ดีที่สุดในการเก็บมะเขือเทศในครัวคืออะไร และเก็บได้นานแค่ไหน",
  ko: "부엌에서 토마토를 보관하는 가장 좋은 방법은 무엇이고 얼마나 오래 보관할 수 있나요?",
  zh: "在厨房里保存西红柿的最好办法是什么？可以放多久？",
  ja: "台所でトマトを保存する一番いい方法は何ですか。どのくらい持ちますか。",
} as const;

const ANSWERS = {
  en: "Keep them at room temperature, with the stem down and out of the sun. They will be good for four to seven days; when they are very ripe, put them in the fridge.",
  de: "Lagern Sie sie bei Zimmertemperatur, mit dem Stiel nach unten und nicht in der Sonne. So sind sie vier bis sieben Tage haltbar; wenn sie sehr reif sind, legen Sie sie in den Kühlschrank.",
  ru: "Храните их при комнатной температуре, плодоножкой вниз и не на солнце. Так они пролежат от четырёх до семи дней; очень спелые уберите в холодильник.",
  el: "Να τις κρατάς σε θερμοκρασία δωματίου, με το κοτσάνι προς τα κάτω και μακριά από τον ήλιο. Κρατάνε τέσσερις με επτά ημέρες.",
  ar: "احفظها في درجة حرارة الغرفة، مع وضع الساق إلى الأسفل وبعيدا عن الشمس. تبقى صالحة من أربعة إلى سبعة أيام.",
  ko: "꼭지를 아래로 하여 햇빛이 들지 않는 실온에 두세요. 나흘에서 이레까지 보관할 수 있고 아주 익은 것은 냉장고에 넣으세요.",
  zh: "请放在室温下，蒂朝下，避免阳光直射。这样可以保存四到七天；熟透的请放进冰箱。",
  ja: "ヘタを下にして、日の当たらない常温の場所に置いてください。四日から七日ほど持ちます。完熟のものは冷蔵庫に入れてください。",
} as const;

type Language = keyof typeof PROMPTS;
const SCRIPT: Record<Language, string> = {
  ...({ en: "latin", de: "latin", fr: "latin", es: "latin", pt: "latin", it: "latin", nl: "latin" } as const),
  ...({ ru: "cyrillic", uk: "cyrillic", el: "greek", ar: "arabic", he: "hebrew", hi: "devanagari" } as const),
  ...({ th: "thai", ko: "hangul", zh: "han", ja: "han" } as const),
};

const pairs = Object.entries(PROMPTS).flatMap(([asked, prompt]) =>
  Object.entries(ANSWERS).map(([said, answer]) => ({
    asked: asked as Language,
    prompt,
    said: said as Language,
    answer,
  })),
);

describe("withScriptCheck()", () => {
  it.each(pairs)("tells a script from another one: asked in $asked, answered in $said", async (pair) => {
    const { asked, prompt, said, answer } = pair;
    expect(await judge(asking(prompt), answer)).toEqual(SCRIPT[asked] === SCRIPT[said] ? [] : OTHER);
  });

  it.each<[why: string, init: HubInit, said: string]>([
    ["to translate", asking(`Please translate this to Chinese for me: ${ANSWERS.en}`), ANSWERS.zh],
    [
      "for a language by its name",
      asking("How would you explain to a child in Japanese what the moon is?"),
      ANSWERS.ja,
    ],
    [
      "for what is written in one",
      asking("What does the first chapter of the Quran say, and what is it about?"),
      ANSWERS.ar,
    ],
    [
      "in German for Russian",
      asking("Wie schreibe ich meiner Nachbarin auf Russisch, dass ich im Urlaub bin?"),
      ANSWERS.ru,
    ],
    ["in French for Arabic", asking("Comment dire bonjour et demander le prix dans un marché en arabe ?"), ANSWERS.ar],
    [
      "in Russian for English",
      asking("Напиши по-английски короткое письмо соседу о том, как хранить помидоры"),
      ANSWERS.en,
    ],
    ["in Chinese for English", asking("请用英文写一段关于如何保存西红柿的短文给我的邻居"), ANSWERS.en],
    [
      "in Japanese for English",
      asking("トマトの保存方法について、隣の人に英語で短い手紙を書いてください。"),
      ANSWERS.en,
    ],
    [
      "in Korean for English",
      asking("이웃에게 토마토 보관 방법을 알려 주는 짧은 편지를 영어로 써 주세요."),
      ANSWERS.en,
    ],
    ["in Arabic for English", asking("اكتب رسالة قصيرة باللغة الإنجليزية إلى جاري عن تخزين الطماطم"), ANSWERS.en],
    [
      "in the system prompt",
      { messages: [user(text(PROMPTS.ru))], system: [text("Always answer in English.")] },
      ANSWERS.en,
    ],
    [
      "in the system prompt, by its name",
      { messages: [user(text(PROMPTS.en))], system: [text("You are a Chinese tutor.")] },
      ANSWERS.zh,
    ],
    [
      "earlier on",
      { messages: [user(text("Reply in Korean from now on.")), assistant("네."), user(text(PROMPTS.en))] },
      ANSWERS.ko,
    ],
    [
      "by having spoken it before",
      { messages: [user(text(PROMPTS.zh)), assistant(ANSWERS.zh), user(text(PROMPTS.en))] },
      ANSWERS.zh,
    ],
  ])("says nothing where another language may be asked for: %s", async (_, init, said) => {
    expect(await judge(init, said)).toEqual([]);
  });

  it.each<[what: string, init: HubInit, said: string]>([
    ["a short request", asking("Tomatoes?"), ANSWERS.zh],
    ["a short answer", asking(PROMPTS.en), "四到七天。"],
    [
      "a name for an answer",
      asking("Какая компания выпустила первый персональный компьютер с мышью?"),
      "Xerox Corporation",
    ],
    [
      "a command",
      asking("Какая команда покажет открытые порты и процессы на сервере?"),
      "sudo lsof -i -P -n | grep LISTEN; netstat -tulpen; ss --listening --processes --numeric --tcp --udp",
    ],
    [
      "a query without a fence",
      asking("Напиши запрос, который выбирает всех взрослых пользователей по имени"),
      "SELECT name, age, email FROM users WHERE age >= 18 AND deleted IS NULL ORDER BY name ASC LIMIT 100 OFFSET 20",
    ],
    [
      "code in a fence",
      asking("Напиши программу, которая считает помидоры в корзине и печатает итог"),
      `\`\`\`\n# ${ANSWERS.en}\n\`\`\``,
    ],
    [
      "a quotation",
      asking("Как начинается знаменитая речь о мечте, произнесённая в столице?"),
      `«${ANSWERS.en.slice(0, 150)}»`,
    ],
    [
      "speech in other letters",
      asking("privet, podskazhi kak luchshe hranit pomidory na kuhne i skolko oni lezhat"),
      ANSWERS.ru,
    ],
    [
      "a picture",
      {
        messages: [
          user(text("What is written on this sign, and what should I do?"), { kind: { case: "image", value: {} } }),
        ],
      },
      ANSWERS.zh,
    ],
    [
      "what a tool has said",
      {
        messages: [
          user(text(PROMPTS.en)),
          assistant(""),
          { role: Role.TOOL, content: [{ kind: { case: "toolResult", value: {} } }] },
        ],
      },
      ANSWERS.zh,
    ],
    ["an answer in several", asking(PROMPTS.en), `${ANSWERS.en} ${ANSWERS.zh}`],
    [
      "prose with names in the letters of the answer",
      asking("Как лучше всего хранить помидоры по мнению журнала Gardening?"),
      ANSWERS.en,
    ],
    ["a conversation that is too long to be looked at", asking(`${PROMPTS.en}\n`.repeat(500)), ANSWERS.zh],
    ["what the caller has begun", { messages: [user(text(PROMPTS.en)), assistant("So: ")] }, ANSWERS.zh],
  ])("says nothing of %s", async (_, init, said) => {
    expect(await judge(init, said)).toEqual([]);
  });

  it.each<[what: string, said: string]>([
    [
      "SQL",
      "select u.name, o.total from users u join orders o on o.user = u.id where u.age > 18 and o.state is not null",
    ],
    [
      "Python",
      "import os\nfor name in sorted(os.listdir(path)):\n    if name not in seen and not name.startswith('a'):\n        print(name)",
    ],
    [
      "JavaScript",
      "for (const item of items) { if (item.price > 10 && !item.sold) { total += item.price; return total; } else do { next(item) } while (this.has) }",
    ],
    [
      "a shell's",
      "find . -type f -name '*.log' -mtime +7 -print0 | xargs -0 gzip; do echo done; for f in *; do mv $f /tmp; done",
    ],
    [
      "YAML",
      "version: two\nservices:\n  web:\n    image: nginx\n    ports:\n      - http\n    depends_on:\n      - database\n    restart: always",
    ],
    [
      "HTML",
      "<div class=box><p>pomidor</p><a href=index>link</a><span id=total>sum</span><script src=main></script></div>",
    ],
    [
      "a list of names",
      "Solanum lycopersicum, Solanum tuberosum, Capsicum annuum, Nicotiana tabacum, Physalis alkekengi, Atropa belladonna",
    ],
    [
      "titles",
      "Pulp Fiction, Reservoir Dogs, Kill Bill, Jackie Brown, Death Proof, Inglourious Basterds, Django Unchained",
    ],
    [
      "a table of words",
      "apple | pear | plum | cherry | tomato | onion | garlic | pepper | cabbage | carrot | potato | cucumber",
    ],
  ])("takes %s for no prose", async (_, said) => {
    expect(await judge(asking(PROMPTS.ru), said)).toEqual([]);
  });

  it("says nothing of an answer that calls a tool", async () => {
    const call: Block = { kind: { case: "toolUse", value: { id: "c", name: "find", arguments: "{}" } } };
    expect(await judge(asking(PROMPTS.en), ANSWERS.zh)).toEqual(OTHER);
    expect(await judge(asking(PROMPTS.en), ANSWERS.zh, [call])).toEqual([]);
  });

  it("looks at prose only: code, quotations and addresses in an answer change nothing", async () => {
    const noise =
      '\n```\nfor (const x of xs) print(x);\n```\n> „in the house“ "and the dog" `let it be` https://example.org/a/b me@example.org\n';
    expect(await judge(asking(PROMPTS.en), `${noise}${ANSWERS.zh}${noise}`)).toEqual(OTHER);
    expect(await judge(asking(PROMPTS.zh), `${noise}${ANSWERS.zh}${noise}`)).toEqual([]);
  });

  it("adds to what else is wrong, and takes no proof for one", async () => {
    const judged = { ...PASSED, verdict: { ...PASSED.verdict, failed: ["cut" as const], isProven: true } };
    const answer = create(GenerateResponseSchema, { content: [text(ANSWERS.zh)] });
    const check = withScriptCheck(async () => judged, createHubInput(asking(PROMPTS.en)));
    const { verdict } = await check(answer, new AbortController().signal);
    expect(verdict).toMatchObject({ failed: ["cut", "other_script"], isProven: false });
  });

  it("never faults an answer in a script of which the conversation has a letter, wherever that stands", async () => {
    const pair = fc.constantFrom(...pairs.filter(({ asked, said }) => SCRIPT[asked] !== SCRIPT[said]));
    await fc.assert(
      fc.asyncProperty(pair, fc.nat(), fc.boolean(), async ({ prompt, answer }, at, isBefore) => {
        const letter = /\p{L}/u.exec(answer)?.[0] ?? "";
        const where = at % (prompt.length + 1);
        const written = `${prompt.slice(0, where)} ${letter} ${prompt.slice(where)}`;
        const init = isBefore ? { messages: [user(text(letter)), assistant(""), user(text(prompt))] } : asking(written);
        expect(await judge(init, answer)).toEqual([]);
      }),
    );
  });

  it("never faults an answer of the same texts as the request, whatever they are", async () => {
    const part = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(...Object.values(PROMPTS), ...Object.values(ANSWERS)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        expect(await judge(asking(parts.join(" ")), parts.join(" "))).toEqual([]);
      }),
    );
  });
});
