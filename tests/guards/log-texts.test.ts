import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

// The operator reads the log in Spanish: every sentence of the server's is, from its first word.

const guard = suite('log texts')

/** A literal that is logged: of `console`, of the log, or what a job says when it fails. */
const LOGGED =
  /(?:console\.(?:error|warn|log)\(|log\(\)\.write\(\s*'\w+',|runEvery\(\s*\{[^{}]*\},|\n {6}failure:)\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
/** Words that no Spanish sentence has. */
const ENGLISH =
  /\b(?:the|an|of|to|is|was|were|be|been|by|could|cannot|failed|not|with|without|for|from|that|which|photo|dog|map|request|error)\b/i
const PREFIX = 'perrario · '

/** Files that run on the server. */
const files = listFiles(['src', 'db'], ['.ts', '.tsx', '.astro']).filter(
  (path) => !/\.client\.tsx?$|\.tsx$|^src\/integrations\//.test(path),
)

/** Sentences that are logged, without what is put into them. */
const textsOf = (source: string) =>
  [...source.matchAll(LOGGED)].map(([call, , text]) => ({
    text: text!.replace(/\$\{[^{}]*\}/g, '…'),
    isConsole: !call.startsWith('log()'),
  }))

const isWrong = ({ text, isConsole }: { text: string; isConsole: boolean }) =>
  ENGLISH.test(text) || (isConsole && !text.startsWith(PREFIX))

guard('every line of the log is a Spanish sentence', () => {
  const texts = files.flatMap((path) => textsOf(readSource(path)).map((logged) => ({ path, ...logged })))
  assert.ok(texts.length > 80, `${texts.length}`)
  assert.equal(
    texts.filter(isWrong).map(({ path, text }) => `${path}: ${text}`),
    [],
    `write it in Spanish, after «${PREFIX}» where console logs it`,
  )
})

guard('knows what is none', () => {
  for (const source of [
    "console.error('Live events could not be sent:', error)",
    'console.warn(\n  `perrario · the list (${code}) failed`,\n)',
    "log().write('warn', 'a mail was not sent')",
    "runEvery({ intervalMs }, 'Badges in the next round:', run)",
  ])
    assert.ok(textsOf(source).some(isWrong), source)
  assert.not.ok(textsOf("console.error('perrario · una foto no se pudo enviar:', error)").some(isWrong))
})
