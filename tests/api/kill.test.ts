import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { killCycles } from '#tests/support/kill.ts'

const kill = suite('kill -9 under mixed writes')

kill('loses nothing acknowledged, and the doctor leaves the data clean', async () => {
  const report = await killCycles({ cycles: 5, seed: 20_261_122 })
  assert.is(report.cycles, 5)
  assert.equal(
    { lost: report.lost, unwell: report.unwell, strange: report.strange },
    { lost: [], unwell: [], strange: [] },
  )
  for (const kind of ['like', 'comment', 'add', 'gallery', 'rename', 'remove', 'profile', 'code', 'report', 'erase'])
    assert.ok(report.acknowledged[kind]! > 0, `${kind} was among what was going on`)
})

kill.run()
