import { readdir, readFile } from 'node:fs/promises'
import { parseTypedNumber, formatTypedNumber } from '#lib/text/typed-number.ts'
import { assert, suite } from '#tests/support/suites.ts'

const number = suite('unit/lib/typed-number')

const kinds = (text: string) => {
  const { kind, ...rest } = parseTypedNumber(text)
  return 'value' in rest ? [kind, rest.value] : [kind]
}

number('a single comma or point is the decimal sign', () => {
  const cases: [string, number][] = [
    ['0', 0],
    ['22', 22],
    ['22,5', 22.5],
    ['22.5', 22.5],
    [' 22,5 ', 22.5],
    [',5', 0.5],
    ['.5', 0.5],
    ['5,', 5],
    ['5.', 5],
    ['007', 7],
    ['1.000', 1],
    ['1,000', 1],
  ]
  for (const [text, value] of cases) assert.equal(kinds(text), ['plain', value], text)
})

number('a positive number in another notation is distinguished from other text', () => {
  const cases: [string, number | null][] = [
    ['1e1', 10],
    ['1E1', 10],
    ['1,5e1', 15],
    ['+5', 5],
    ['0x10', 16],
    ['1.000,5', null],
    ['1,000.5', null],
    ['1.000.000', null],
    ['1 000', null],
    ['1 000,5', null],
    ['1,2,3', null],
    ['1..2', null],
    ['1-2', null],
    ['1e', null],
    ['1e999', null],
    ['5 kg', null],
    ['22 y medio', null],
    ['٥', null],
    ['½', null],
  ]
  for (const [text, value] of cases) assert.equal(kinds(text), ['other', value], text)
  const none = ['', ' ', '.', ',', '-', '-5', '-.5', '\u22125', '-5 kg', 'cinco', '0e3', '-1e1', 'Infinity']
  for (const text of [...none, 'NaN', '0.000.000', '--1', '-1,2,3']) assert.equal(kinds(text), ['none'], text)
})

number('the text that a field shows is parsed to the same number', () => {
  for (const value of [0.1, 0.5, 12, 12.5, 22.5, 199.9, 200]) {
    assert.equal(kinds(formatTypedNumber(value)), ['plain', value])
    assert.not.match(formatTypedNumber(value), '.')
  }
})

number('no field uses type=number, whose decimal sign depends on the browser’s language', async () => {
  const files = (await readdir('src', { recursive: true })).filter((name) => /\.(astro|tsx?)$/.test(name))
  assert.ok(files.length > 300)
  for (const name of files)
    assert.not.match(await readFile(`src/${name}`, 'utf8'), /type\s*[=:]\s*\{?['"`]number['"`]/, name)
})
