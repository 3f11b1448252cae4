import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isTooSoon, LEAST_PACE } from '#features/dogs/pace.ts'
import { isTrapped } from '#lib/trap.ts'

const pace = suite('the dog form: pace and trap')

pace('two seconds are what a person takes; clients without a form say nothing', () => {
  assert.is(LEAST_PACE, 2000)
  for (const said of ['2000', '2001', '86400000', '2000.4']) assert.not(isTooSoon(said), said)
  for (const said of ['0', '1999', '-5000', '', ' ', 'NaN', 'pronto', new File(['9999'], 'x')])
    assert.ok(isTooSoon(said), String(said))
  for (const said of [null, undefined]) assert.not(isTooSoon(said))
})

pace('whatever stands in the trap was written by a program; an empty one is a person’s form', () => {
  for (const value of ['x', ' ', '0', new File([], '')]) assert.ok(isTrapped(value))
  for (const value of ['', null, undefined]) assert.not(isTrapped(value))
})

pace.run()
