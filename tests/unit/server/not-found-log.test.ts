import { setLog } from '#server/log/log.ts'
import { logNotFound, maskPath } from '#server/log/not-found-log.ts'
import { assert, suite } from '#tests/support/suites.ts'

const notFound = suite('unit/server/not-found-log')
notFound.after.each(() => setLog(undefined))

notFound('only the pattern of a path is logged, whatever its segments', () => {
  for (const [path, shown] of [
    ['/razas/no/existe', '/razas/…/…'],
    ['/ana-lopez', '/…'],
    ['/Razas/ana', '/…/…'],
    ['/ana/razas', '/…/…'],
    ['/', '/'],
    [`/razas${'/ana'.repeat(5000)}`, '/razas/…/…/…/…/…'],
  ] as const)
    assert.is(maskPath(path), shown)
})

notFound('ten lines a minute are logged, and the next one has the number of dropped ones', () => {
  const lines: string[] = []
  setLog({ write: (_level, text) => void lines.push(text), isSilent: false, isTerminal: false })
  for (let n = 0; n < 1000; n++) logNotFound('/…', 1000 + n)
  assert.is(lines.length, 10)
  logNotFound('/razas/…', 61_000)
  assert.is(lines.at(-1), '404 "/razas/…" · 990 más sin línea')
  logNotFound('/…', 61_001)
  assert.is(lines.at(-1), '404 "/…"')
})
