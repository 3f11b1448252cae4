import { challengeWeekOf, weekStart } from '#features/challenges/weeks.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { assert, suite } from '#tests/support/suites.ts'

const weeks = suite('unit/challenges/weeks')

weeks('a week begins on Monday at midnight in Madrid', () => {
  assert.is(challengeWeekOf(Date.parse('2026-11-22T22:59:59.999Z')), -1)
  assert.is(challengeWeekOf(Date.parse('2026-11-22T23:00:00Z')), 0)
  assert.is(challengeWeekOf(Date.parse('2026-11-29T22:59:59.999Z')), 0)
  assert.is(challengeWeekOf(Date.parse('2026-11-29T23:00:00Z')), 1)
})

weeks('the weeks in which the clocks change begin and end at midnight too', () => {
  // Summer time begins on Sunday, 28 March 2027, and ends on Sunday, 31 October 2027.
  const spring = challengeWeekOf(Date.parse('2027-03-28T10:00:00Z'))
  assert.is(weekStart(spring), Date.parse('2027-03-21T23:00:00Z'))
  assert.is(weekStart(spring + 1), Date.parse('2027-03-28T22:00:00Z'))
  assert.is(weekStart(spring + 1) - weekStart(spring), 7 * DAY_MS - HOUR_MS)
  const autumn = challengeWeekOf(Date.parse('2027-10-31T10:00:00Z'))
  assert.is(weekStart(autumn), Date.parse('2027-10-24T22:00:00Z'))
  assert.is(weekStart(autumn + 1), Date.parse('2027-10-31T23:00:00Z'))
})

weeks('every start of ten years is the first millisecond of its week', () => {
  for (let week = -10; week < 520; week++) {
    assert.equal([challengeWeekOf(weekStart(week)), challengeWeekOf(weekStart(week) - 1)], [week, week - 1])
  }
})
