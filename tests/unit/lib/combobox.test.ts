import { stepOption } from '#lib/combobox.ts'
import { assert, suite } from '#tests/support/suites.ts'

const combobox = suite('unit/lib/combobox')

combobox('wraps from the last option to the first and back', () => {
  assert.equal([stepOption(0, 1, 3, false), stepOption(2, 1, 3, false), stepOption(0, -1, 3, false)], [1, 0, 2])
})

combobox('stops at the field between the last option and the first if requested', () => {
  assert.is(stepOption(2, 1, 3, true), -1)
  assert.is(stepOption(-1, 1, 3, true), 0)
  assert.is(stepOption(-1, -1, 3, true), 2)
  assert.is(stepOption(0, -1, 3, true), -1)
})

combobox('stays at the field without options', () => {
  assert.equal([stepOption(-1, 1, 0, false), stepOption(-1, -1, 0, true)], [-1, -1])
})
