/** A promise of a page, and the test or script that shows it. */
export interface Claim {
  readonly page: string;
  /** A stable part of each sentence, in plain text: `code` stands for code, and links are their words. */
  readonly says: readonly string[];
  /** The test or script, and a title or word in it. */
  readonly shownBy: string;
  readonly title: string;
}

/** The pages on whose words people decide. */
export const CLAIMED_PAGES = [
  "README.md",
  "docs/README.md",
  "docs/learning.md",
  "docs/learning-rules.md",
  "docs/cost.md",
  "docs/notes/costs.md",
  "docs/database.md",
  "docs/postgresql.md",
  "docs/privacy.md",
] as const;

/** The promises of each page. */
export const CLAIMS: readonly Claim[] = [
  ...onPage("README.md", [
    [
      "scripts/demo.ts",
      "scripted models",
      ["Right answers rise from 62 to 94 in a hundred", "One customer in twenty rates"],
    ],
    [
      "test/learning/bandit/shadow/evidence.test.ts",
      "explores where feedback is dense, and less once grades count",
      ["up to 5 in 100 calls"],
    ],
    [
      "test/learning/bandit/shadow/is-promising.test.ts",
      "explores on nobody where nothing is to be explored on users",
      ["explores on none of your users"],
    ],
    [
      "test/conformance/hard-cases/identity.test.ts",
      "have ids that are unique, all of which feedback takes",
      ["Every response has an"],
    ],
    [
      "test/hub/losses.test.ts",
      "is not sent to $kind of $of abilities where its row says that it is lost",
      ["No silent losses in translation"],
    ],
    [
      "test/learning/learner/figures.test.ts",
      "tells whom it chooses in each family, and what that is worth altogether",
      ["routes each kind of prompt"],
    ],
    [
      "test/integration/before-feedback.test.ts",
      "may be answered by another model once there is feedback",
      ["That's all it needs", "Send feedback on it", "Ten minutes from nothing"],
    ],
  ]),
  ...onPage("docs/README.md", [
    [
      "test/learning/learner/figures.test.ts",
      "tells whom it chooses in each family, and what that is worth altogether",
      ["routes each kind of prompt"],
    ],
    [
      "test/learning/bandit/shadow/evidence.test.ts",
      "explores where feedback is dense, and less once grades count",
      ["up to 5 in 100 calls"],
    ],
    ["test/bench/run.ts", "what a request costs in Attune", ["a third of a millisecond of CPU"]],
  ]),
  ...onPage("docs/learning.md", [
    [
      "test/learning/bandit/shadow/is-promising.test.ts",
      "explores on nobody where nothing is to be explored on users",
      ["Attune explores on none of your users"],
    ],
    [
      "test/vocabulary/judge-figures.test.ts",
      "tells what a grade of both counts as, and how much of it is the second one's",
      ["what the judge is worth"],
    ],
    ["test/bench/policy/worlds.ts", "own feedback and judge, best base", ["In small workloads, luck weighs more"]],
    [
      "test/learning/bandit/settings.test.ts",
      "is another one wherever a constant is",
      ["No setting changes these numbers"],
    ],
    [
      "test/learning/learner/exploring.test.ts",
      "is nothing while another model answers that is ahead by no more than chance",
      ["Its state is Exploring until"],
    ],
    [
      "test/learning/bandit/shadow/evidence.test.ts",
      "explores where feedback is dense, and less once grades count",
      ["calls go to a model that isn"],
    ],
    [
      "test/learning/bandit/shadow/is-promising.test.ts",
      "has a model answer a few where only a doubt about the judge is left",
      ["Finding out means exploring"],
    ],
    [
      "test/bench/policy.ts",
      "what the policy that chooses models earns",
      ["feedback on 5 in 100 answers is enough", "Attune has to learn each kind"],
    ],
    [
      "test/integration/before-feedback.test.ts",
      "is answered by base alone before its first feedback",
      [
        "It doesn't learn without feedback",
        "Base answers every call of a workload until",
        "nothing is explored, priors don't apply",
      ],
    ],
    [
      "test/learning/bandit/shadow/evidence.test.ts",
      "stays at base without a judge, or with one that is right by chance only",
      ["A judge's grades don't count until"],
    ],
    [
      "test/learning/bandit/learn.test.ts",
      "estimates as the rules do when they are worked out plainly from all rewards",
      ["Each model has statistics for each family"],
    ],
    [
      "test/routing/steps/choose-model.test.ts",
      "serves base where it only observes, and records what it would have done",
      ["The mode of a workload is"],
    ],
    [
      "test/routing/steps/choose-model.test.ts",
      "leaves out models that would not take the request whole",
      ["translation to its format loses no more"],
    ],
    [
      "test/routing/steps/choose-model.test.ts",
      "can be worked out again from what is recorded",
      ["The record has the whole decision"],
    ],
    [
      "test/learning/bandit/decide.test.ts",
      "stops serving an arm that disappoints, and serves base alone until the budget has grown",
      ["Once that exceeds the budget, only base answers"],
    ],
    [
      "test/learning/shadow/shadow-trials.test.ts",
      "asks another model, has both answers graded, and records what that cost",
      ["Attune also sends a tenth of each workload", "Nobody receives the second one"],
    ],
    [
      "test/store/learning/learning.test.ts",
      "starts a new workload of a project from what the others have learned",
      ["A new workload then starts with"],
    ],
  ]),
  ...onPage("docs/learning-rules.md", [
    [
      "test/learning/learner/rater-votes.test.ts",
      "make rewards that are what their values are worth by now, at the tenth vote among others",
      ["the rewards of the latest 512 votes with numbers are computed again"],
    ],
    [
      "test/learning/learner/voices.test.ts",
      "counts as many votes as are usual and their root more, and then less by the cube",
      ["each further vote counts for (m / n)³"],
    ],
    [
      "test/learning/bandit/shadow/judge-scale.test.ts",
      "leaves a judge out that is not proven beside one that is, and believes the better one more",
      ["the grade is the mean, each by its slope"],
    ],
    [
      "test/learning/bandit/shadow/asks-second.test.ts",
      "has rated answers graded by both, but for a trickle once the second is known to be of no use",
      ["A judge that turns out useless grades one rated answer in ten"],
    ],
    [
      "test/learning/bandit/prices.test.ts",
      "is the cost in USD by what a reward is worth, and a saving counts as the model proves itself",
      ["one more reward (such as a thumb up", "has to earn 0.25 more reward", "half at 50 rewards"],
    ],
    [
      "test/learning/bandit/prices.test.ts",
      "has no part in the regret budget, which counts rewards alone",
      ["The regret budget still counts rewards alone"],
    ],
    ["test/bench/policy/worlds.ts", "two prices of base more has to earn", ["In 40 simulated workloads, rewards"]],
    [
      "test/learning/learner/quantiles.test.ts",
      "moves no position by more than 12 k / n for k hostile values among n",
      ["k move a reward by at most 12 k / n"],
    ],
    [
      "test/learning/learner/metric-scale.test.ts",
      "has the answers of a better model seem no poorer, however many of them are served",
      ["Base counts for one half"],
    ],
    [
      "test/learning/bandit/shadow/room-by-evidence.test.ts",
      "serves base once people's rewards alone say that more was lost than may be",
      ["calls also return once feedback alone"],
    ],
    [
      "test/learning/bandit/shadow/compare-complaints.test.ts",
      "says nothing once people praise in more than a quarter of what they say",
      ["This applies when there are at least five complaints"],
    ],
    ["test/learning/shadow/examples.test.ts", "cuts long texts, and no character in two", ["Texts are cut at 800"]],
    [
      "test/routing/healthy-place.test.ts",
      "is none that has failed of late, or has little left of its rate limits",
      ["less than a fifth of its rate limits left"],
    ],
    [
      "test/learning/learner/voices.test.ts",
      "takes what is usual from raters by chance, whom a flood of others does not move",
      ["The usual number of votes, plus its square root, counts fully"],
    ],
    [
      "test/learning/learner/voices.test.ts",
      "hears one rater six times of 24 in full where a model may have changed",
      ["It takes several raters to declare drift"],
    ],
    [
      "test/learning/bandit/prompt-clusters.test.ts",
      "looks at no more than the first 2,000 characters",
      ["groups their first user messages"],
    ],
    [
      "test/store/learning/clusters.test.ts",
      "are learned from feedback on, tried, loaded by another process",
      ["A family qualifies if", "Attune looks at the family again once it has twice as many"],
    ],
    [
      "test/store/learning/clusters.test.ts",
      "are not learned where the project stores no prompts, or fewer than tell anything",
      ["With fewer than 100 prompts there are none"],
    ],
    ["test/chaos/learner.chaos.ts", "counts all that was written exactly once", ["So everything counts exactly once"]],
    [
      "test/learning/bandit/shadow/evidence.test.ts",
      "serves what a judge that has proved itself finds better, and explores nothing on users",
      ["If fewer than one in ten", "must say, at one standard deviation, that"],
    ],
    [
      "test/learning/families/prompt-families.test.ts",
      "has a template that was edited a little join the family that it was",
      ["A slightly edited template joins"],
    ],
    [
      "test/learning/learner/family-days.test.ts",
      "ends a family, with its clusters, that had no call on sixty days of its workload",
      ["A family ends after 60 days"],
    ],
    [
      "test/regression/forged-seals.slow.ts",
      "mark tool calls so that every replica gives the results to the model that waits",
      ["Attune marks the ids of calls"],
    ],
    ["test/regression/forged-seals.slow.ts", "that were made up do not steer", ["A forged one has no effect"]],
    [
      "test/routing/session-choices.test.ts",
      "remembers an arm for each base model of a session",
      ["one decision for each base model"],
    ],
    ["test/routing/session-choices.test.ts", "ends a session after 1,000 calls", ["after 1,000 calls"]],
    [
      "test/store/learning/learning.test.ts",
      "guards how often models fail and refuse, and how fast they are",
      ["For each answer, Attune learns"],
    ],
    [
      "test/learning/bandit/learn.test.ts",
      "stays open on a guarded metric that is alike, where most is served by another",
      ["by 2 in 100 answers"],
    ],
    [
      "test/learning/bandit/prices.test.ts",
      "goes on measuring base in a family that price took from it",
      ["base still answers 15% of the calls"],
    ],
    [
      "test/learning/bandit/decide.test.ts",
      "serves what it has found to be better, and keeps base as a control",
      ["base still gets 2% of the routed calls"],
    ],
    [
      "test/learning/bandit/shadow/evidence.test.ts",
      "learns from grades alone where people only complain",
      ["their feedback alone doesn't give evidence"],
    ],
    [
      "test/learning/controls.test.ts",
      "has the judge not answer unless a list of models names it",
      ["doesn't answer instead of base, unless it's pinned"],
    ],
    [
      "test/learning/shadow/judge-prompt.test.ts",
      "has the conversation and the answer as JSON, which no text in them can leave",
      ["treat all of it as data"],
    ],
    [
      "test/learning/bandit/shadow/judge-scale.test.ts",
      "has not proved a judge that grades by chance, or that people said too little of",
      ["A judge doesn't count until it agrees", "The lower end of its interval"],
    ],
    [
      "test/learning/bandit/shadow/estimate-models.test.ts",
      "gives base a fifth of the calls while people have said less of it than of a model that may be better",
      ["It gets 20% in a family if a judge counts"],
    ],
    ["test/store/learning/judge-pair.test.ts", "writes a verdict once", ["A pair is judged once"]],
    [
      "test/learning/bandit/shadow/evidence.test.ts",
      "is full while a judge is measured or counts, and a tenth before feedback",
      ["The share drops to a tenth"],
    ],
    [
      "test/store/learning/shadow-store.test.ts",
      "sets money aside while the day has some, for all processes together",
      ["limits what all processes together spend in a day"],
    ],
    [
      "test/learning/controls.test.ts",
      "has the money of a day shared by all of whom it is said",
      ["An amount set for a workload applies to it alone"],
    ],
    [
      "test/learning/learner/voices.test.ts",
      "never has a rater's influence grow faster than the root of their votes",
      ["Attune weighs the votes of each rater"],
    ],
    [
      "test/learning/learner/voices.test.ts",
      "counts a key fully that speaks for a quarter of all",
      ["a quarter of all votes"],
    ],
    [
      "test/routing/steps/choose-model.test.ts",
      "goes on with the model that made the opaque state in the conversation",
      ["tool loops never switch"],
    ],
    [
      "test/store/learning/clusters.test.ts",
      "are learned from the latest prompts of the family alone",
      ["Attune reads its latest 600 stored requests"],
    ],
    [
      "test/learning/bandit/family-splits.test.ts",
      "learns of the whole family while clusters are tried, and of each cluster once they have won",
      ["Each request's record has its cluster", "each becomes a family of its own"],
    ],
    [
      "test/routing/steps/choose-model.test.ts",
      "obeys what operators say: frozen, pinned, excluded",
      ["Freeze, pin, exclusions and mode apply"],
    ],
    [
      "test/learning/bandit/cluster-trial.test.ts",
      "is won in at most 5% of 200 streams",
      ["is predicted with and without clusters", "win in 5 of 100 families at most"],
    ],
    ["test/learning/bandit/cluster-trial.test.ts", "is lost after 5,000 rewards", ["after 5,000 rewards"]],
    [
      "test/bench/policy.ts",
      "npm run bench:policy -- --data FILE",
      ["Finding the cluster of a prompt takes 5 µs", "Learning the clusters takes 0.25 s"],
    ],
    [
      "test/store/learning/learning.test.ts",
      "waits while another version learns of a workload, and takes it over ten minutes after",
      ["this one leaves all learning to it"],
    ],
    [
      "test/learning/learner/workload-cache.test.ts",
      "takes a workload for a new one until it is read",
      ["While a process reads a workload for the first time"],
    ],
    ["test/bench/learning.ts", "npm run bench:learning", ["26,900 events a second"]],
    [
      "test/chaos/learner.chaos.ts",
      "counts all that was written exactly once",
      ["every request and every reward is counted once"],
    ],
    [
      "test/learning/bandit/learn.test.ts",
      "returns to base within 200 requests",
      ["base answers again within 200 calls"],
    ],
    [
      "test/learning/shadow/shadow-trials.test.ts",
      "gives the money back where the model cannot take the request",
      ["prompts of more than 100,000 tokens"],
    ],
    [
      "test/learning/bandit/shadow/is-promising.test.ts",
      "has a model answer a few where only a doubt about the judge is left",
      ["answers 5% of the calls until people have rated it", "It needs 50 trials"],
    ],
    [
      "test/integration/before-feedback.test.ts",
      "learns of feedback on its very first call",
      ["Feedback on any family counts"],
    ],
    [
      "test/learning/shadow/shadow-trials.test.ts",
      "tries neither the model that answered, nor the judge, nor several at once",
      ["its judge isn't tried", "answers without a decision"],
    ],
    [
      "test/learning/learner/quantiles.test.ts",
      "keeps distances: what is near to each other is nearly the same where the spread is great",
      ["Distances count: 2 ms hardly matter"],
    ],
    [
      "test/learning/learner/metric-settings.test.ts",
      "counts an expense for a quarter beside an outcome",
      ["It counts for a quarter"],
    ],
    [
      "test/store/learning/learning.test.ts",
      "weighs metrics, and guards those that count for nothing",
      ["It's the mean of the values under all names"],
    ],
    [
      "test/store/learning/learning.test.ts",
      "averages feedback by id into the reward of its session, whichever came first",
      ["All feedback on the calls so far"],
    ],
    ["test/learning/learner/draft-rewards.test.ts", "takes the model that served most", ["This reward belongs to"]],
  ]),
  ...onPage("docs/cost.md", [
    [
      "test/bench/policy/cheap-model.ts",
      "how much feedback shows that it is as good",
      ["For 5,000 simulated calls", "Rewards fell by"],
    ],
    [
      "test/dashboard/walk/attempts.walk.ts",
      "shows what was saved once something was",
      ["The dashboard shows how much each one saved"],
    ],
    [
      "test/inference/run/service.test.ts",
      "says who answered, and bills at that model's prices",
      ["Every response names its model"],
    ],
    [
      "test/inference/run/service.test.ts",
      "records every attempt: what was refused, what failed, and what answered",
      ["count every attempt"],
    ],
    [
      "test/integration/waiting-requests.test.ts",
      "is estimated in tokens where its caller leaves before the end",
      ["If the upstream didn't report tokens"],
    ],
  ]),
  ...onPage("docs/notes/costs.md", [
    [
      "test/regression/background-ledger.slow.ts",
      "has no less on record than the upstream counted, nor far more",
      ["don't count toward any key's budget"],
    ],
    ["test/chaos/ledger.chaos.ts", "takes off a budget what the upstream counted", ["64 callers spend 3 USD"]],
    ["test/regression/ledger.slow.ts", "counts the same where the clock goes", ["Setting the clock back or forward"]],
    [
      "compat/tools/prices/compare.ts",
      "genai-prices",
      ["own functions: 400 calls of 60 models", "shows each list's price"],
    ],
    ["compat/tools/prices/listed-names.ts", "at the price that most places have", ["Attune serves 55 of them, 50"]],
    [
      "test/inference/run/service.test.ts",
      "records every attempt: what was refused, what failed, and what answered",
      ["Its cost covers all attempts"],
    ],
    [
      "test/regression/ledger.slow.ts",
      "has no less on record than the upstream counted, however a call ends",
      ["A test compares the record of each way", "Prompts have 400 tokens"],
    ],
  ]),
  ...onPage("docs/database.md", [
    [
      "test/store/keys/store-authenticator.test.ts",
      "notices a revocation by another process within a second",
      ["Revocations apply within a second"],
    ],
    [
      "test/regression/silent-database.slow.ts",
      "tells a statement that takes too long so, and stops it",
      ["In PostgreSQL, Attune sets them"],
    ],
    [
      "test/regression/silent-database.slow.ts",
      "is given up after the limit, and its connections are thrown away",
      ["closes the connection half a second later"],
    ],
    [
      "test/store/database/sqlite-place.test.ts",
      "is noticed where another file is in its place",
      ["Files are checked twice a second"],
    ],
    [
      "test/store/write/recorder/spool-recorder.test.ts",
      "refuses new work for a second after the disk failed, where it may shed nothing",
      ["new inferences get 503"],
    ],
    [
      "test/chaos/kill.chaos.ts",
      "loses nothing that was acknowledged in",
      ["In an outage, calls continue, and nothing acknowledged is lost", "After a kill, nothing acknowledged is lost"],
    ],
    [
      "test/store/move/move-database.slow.ts",
      "copies every row of every entity, and tells how far it is",
      ["the row counts of all tables"],
    ],
    [
      "test/store/move/move-database.slow.ts",
      "goes on after an interruption, wherever that was, and doubles nothing",
      ["You can interrupt a move", "so nothing is duplicated"],
    ],
    [
      "test/store/move/move-database.slow.ts",
      "refuses a target with rows of its own, names them, and copies nothing",
      ["names the table, key and columns"],
    ],
    [
      "test/cli/database-wait.slow.ts",
      "waits for it, says so, and starts once it is there",
      ["waits up to 30 seconds"],
    ],
    ["test/cli/progress-line.test.ts", "writes a line every five seconds", ["They report every five seconds"]],
    [
      "test/store/keys/key-cache.test.ts",
      "goes on with known keys for a quarter of an hour while the database is away, and makes nobody wait",
      ["work for 15 minutes", "Calls with them don't wait"],
    ],
    [
      "test/store/keys/key-cache.test.ts",
      "cannot tell of an unknown key while the database is away",
      ["Other keys get 503"],
    ],
    [
      "test/store/keys/key-cache.test.ts",
      "notices a revocation once the database is back",
      ["every key is read again before use"],
    ],
    [
      "test/regression/every-read-has-a-limit.slow.ts",
      "answers everything that reads in time",
      ["Every wait has a limit"],
    ],
    [
      "test/chaos/frozen.chaos.ts",
      "answers everything in time, goes on by itself, and loses nothing",
      ["freezes, or has a full disk"],
    ],
    [
      "test/regression/silent-database.slow.ts",
      "is given as long for a statement as the wait for a connection has left",
      ["A database statement of a request may take 5 seconds"],
    ],
    ["test/lib/semaphore.test.ts", "each no more than it may have waiting", ["At 100 waiting reads of a project"]],
    [
      "test/store/database/sqlite-place.test.ts",
      "is noticed where another file is in its place",
      ["A deleted or replaced SQLite file isn't used"],
    ],
    [
      "test/store/database/sqlite-place.test.ts",
      "is noticed, and used again once the same file is back",
      ["If you put the same file back"],
    ],
    [
      "test/store/write/spool/pending-index.test.ts",
      "takes far less than 100 bytes for each of many",
      ["A waiting record takes less than 50 bytes"],
    ],
    [
      "test/store/write/spool/folder-lock.test.ts",
      "gives a folder to one of two processes, until it is released",
      ["Each process has a folder of its own"],
    ],
    [
      "test/chaos/full.chaos.ts",
      "holds records in memory while the disk is full, and loses none",
      ["records wait in memory (up to 64 MiB", "When the disk itself is full"],
    ],
    [
      "test/store/write/spool/segment-file.test.ts",
      "closes its file once the system has it on the disk",
      ["files are synchronized every second"],
    ],
    [
      "test/inference/run/provisional-record.test.ts",
      "has what all attempts have cost and said, each time that one has ended",
      ["again each time one ends", "with the cost and output of each attempt"],
    ],
    [
      "test/store/write/recorder/recorder.test.ts",
      "writes others beside one that the database refuses",
      ["has entries that a process could never write"],
    ],
  ]),
  ...onPage("docs/postgresql.md", [
    [
      "test/store/database/postgres/tls.slow.ts",
      "does with sslmode=%s what libpq does",
      ["accept any certificate", "Files are read for each new connection"],
    ],
    [
      "test/store/database/postgres/tls.slow.ts",
      "does not send a password in plain text that was refused over TLS",
      ["it may resend a password without TLS"],
    ],
    [
      "test/store/database/postgres/hosts.slow.ts",
      "tries the next host where one is dead",
      ["Several hosts are tried"],
    ],
    [
      "test/store/database/postgres/hosts.slow.ts",
      "takes the first host of the kind that is asked for",
      ["each connection is opened twice"],
    ],
    [
      "test/store/database/postgres/hosts.slow.ts",
      "has every connection encrypted",
      ["All connections of all commands"],
    ],
  ]),
  ...onPage("docs/privacy.md", [
    [
      "test/store/retention/held.slow.ts",
      "asks before it deletes much, says how to answer, and deletes once it was confirmed",
      ["A shorter time doesn't delete existing records"],
    ],
    [
      "test/store/bodies/redact.test.ts",
      "takes out every text, and leaves form, sizes and numbers",
      ["Redacted records keep"],
    ],
    [
      "test/store/end-users/end-user.test.ts",
      "leaves no word in the file and in its log",
      ["On SQLite, nothing of the data remains"],
    ],
  ]),
];

type Row = readonly [shownBy: string, title: string, says: readonly string[]];

function onPage(page: (typeof CLAIMED_PAGES)[number], rows: readonly Row[]): Claim[] {
  return rows.map(([shownBy, title, says]) => ({ page, says, shownBy, title }));
}
