import { isFilledTooFast, MIN_FILL_TIME_MS } from '#features/dogs/form/form-values.ts'
import { isHoneypotFilled } from '#lib/honeypot.ts'
import { assert, suite } from '#tests/support/suites.ts'

const signals = suite('unit/dogs/min-fill-time')

signals('a form filled in under two seconds marks a bot; clients without a form send no time', () => {
  assert.is(MIN_FILL_TIME_MS, 2000)
  for (const said of ['2000', '2001', '86400000', '2000.4']) assert.not(isFilledTooFast(said), said)
  for (const said of ['0', '1999', '-5000', '', ' ', 'NaN', 'pronto', new File(['9999'], 'x')])
    assert.ok(isFilledTooFast(said), String(said))
  for (const said of [null, undefined]) assert.not(isFilledTooFast(said))
})

signals('a filled honeypot marks a bot, an empty one does not', () => {
  for (const value of ['x', ' ', '0', new File([], '')]) assert.ok(isHoneypotFilled(value))
  for (const value of ['', null, undefined]) assert.not(isHoneypotFilled(value))
})
