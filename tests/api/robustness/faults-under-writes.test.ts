import { canForbidWriting } from '#tests/support/faults/test-disk.ts'
import { injectFaults } from '#tests/soak/faults/scenario.ts'
import { assert, suite } from '#tests/support/suites.ts'

const soak = suite('api/robustness/faults-under-writes')

soak(
  'a full disk, truncated renders and a changed clock lose no acknowledged write, and doctor finds no damage',
  async () => {
    const report = await injectFaults({ rounds: 3, seed: 20_261_122 })
    assert.equal(report.failures, [])
    const befell = canForbidWriting
      ? { 'full disk': 1, 'torn renders': 1, 'clock set': 1 }
      : { 'torn renders': 2, 'clock set': 1 }
    assert.equal(report.injected, befell)
    const writes = Object.values(report.acknowledged).reduce((sum, n) => sum + n, 0)
    assert.ok(writes > 40, `${writes} writes were acknowledged`)
    assert.ok(Object.keys(report.acknowledged).length > 6, Object.keys(report.acknowledged).join(', '))
  },
)
