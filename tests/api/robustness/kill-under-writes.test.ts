import { runKillCycles } from '#tests/soak/kills/scenario.ts'
import { assert, suite } from '#tests/support/suites.ts'

const kill = suite('api/robustness/kill-under-writes')

kill('no acknowledged write is lost, and doctor leaves the data clean', async () => {
  const kinds = ['like', 'comment', 'add', 'gallery', 'rename', 'remove', 'profile', 'code', 'report', 'erase']
  const report = await runKillCycles({ cycles: 5, kinds, seed: 20_261_122 })
  assert.ok(report.cycles >= 5)
  assert.equal(
    { lost: report.lostWrites, unwell: report.doctorErrors, strange: report.unexpectedAnswers },
    { lost: [], unwell: [], strange: [] },
  )
  for (const kind of kinds) assert.ok(report.acknowledged[kind]! > 0, `${kind} was among what was going on`)
})
