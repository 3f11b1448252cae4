import { readFileSync } from 'node:fs'
import { findTextFlag } from '#features/moderation/text-filter.ts'
import { assert, suite } from '#tests/support/suites.ts'

// Sentences about dogs: which of them the admin is asked about.
const innocent = suite('unit/moderation/word-filter-innocent')

const file = readFileSync(new URL('../../support/filter-sentences.txt', import.meta.url), 'utf8')
/** The sentences under each of the file's headings, ten a line. */
const [harmless = [], offers = [], alike = []] = file
  .split(/^# .*\n/m)
  .filter((part) => part !== '')
  .map((part) => part.trim().split(/ \| |\n/))
const found = (sentences: readonly string[], isWrong: (flag: string | null) => boolean) =>
  sentences.filter((text) => isWrong(findTextFlag(text))).map((text) => `${findTextFlag(text)}: ${text}`)

innocent('innocent sentences pass, however similar to flagged ones', () => {
  assert.ok(new Set(alike).size >= 150, String(alike.length))
  assert.equal(
    found(alike, (flag) => flag !== null),
    [],
  )
})

innocent(
  'of a hundred harmless sentences at most two are doubted, of a hundred offers of an animal at most five pass',
  () => {
    assert.ok(harmless.length >= 100 && offers.length >= 100, `${harmless.length} ${offers.length}`)
    const doubted = found(harmless, (flag) => flag !== null)
    assert.ok(doubted.length <= 2, doubted.join('\n'))
    const passed = found(offers, (flag) => flag !== 'venta')
    assert.ok(passed.length <= 5, passed.join('\n'))
  },
)

innocent.run()
