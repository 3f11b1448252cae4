import { builtPatterns, findSuperlinear, type Pattern, readPatterns } from '#tests/support/regex-growth.ts'
import { assert, suite } from '#tests/support/suites.ts'

// Node answers nobody while a pattern is tried: one whose time grows with the square of the text stops the server for seconds
// with what fits into an address. All of ours are linear, so that nobody need know what each is ever asked of.

const guard = suite('patterns')
const { literals, built } = readPatterns()
const show = (pattern: Pattern) =>
  `${pattern.path}: /${pattern.source}/${pattern.flags}: ${findSuperlinear(pattern).join('; ')}`

guard('no pattern takes longer than its text is long', () => {
  assert.ok(literals.length > 300, `${literals.length}`)
  assert.equal(
    literals.filter((pattern) => findSuperlinear(pattern).length > 0).map(show),
    [],
    'bound its quantifiers, have neighbours share no character, or walk through the text (trimEndWhile in lib/text/text.ts)',
  )
})

guard('nor does one that is put together, which is done once, while its module is loaded', async () => {
  assert.ok(built.size > 0)
  for (const [path, sites] of built) {
    const patterns = await builtPatterns(path)
    assert.ok(patterns.length >= sites, `${path}: a pattern made later, from what somebody sent, is seen by no test`)
    assert.equal(patterns.filter((pattern) => findSuperlinear(pattern).length > 0).map(show), [])
  }
})

guard('knows what grows', () => {
  for (const [source, flags] of [
    [String.raw`[^\s<>"'()«»,;:=/]+(?:@|%40)[^\s<>"'()«»,;:=]+\.[a-z]{2,}`, 'gi'],
    [String.raw`(?:\d[\d.,]*\s*(?:€|eur(?:os?)?(?![a-z]))|€\s*\d[\d.,]*)`, 'g'],
    [String.raw`\/+$`, ''],
    ['(a+)+$', ''],
  ] as const)
    assert.ok(findSuperlinear({ source, flags }).length > 0, source)
  assert.equal(findSuperlinear({ source: '^[a-z]+$', flags: '' }), [])
})
