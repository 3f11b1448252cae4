import {
  truncateToWidth,
  drawableText,
  type Family,
  fitText,
  textWidth,
  renderText,
} from '#features/share/glyphs.server.ts'
import { assert, suite } from '#tests/support/suites.ts'

const letters = suite('unit/share/glyphs')

letters('characters without a glyph are left out, and the rest stays readable', () => {
  assert.is(drawableText('Toby 🐶  el   «Ñoño»'), 'Toby el «Ñoño»')
  assert.is(drawableText('e\u0301'), 'é')
  assert.is(drawableText('Łukasz Ștefan, ¿qué?'), 'Łukasz Ștefan, ¿qué?')
  assert.is(drawableText('🐶🐶'), '')
  assert.is(drawableText('Собака 犬'), '')
  assert.is(drawableText('constructor\n__proto__'), 'constructor __proto__')
})

letters('a text’s width is the sum of its advances, with kerning', () => {
  assert.is(textWidth('', 'head', 100), 0)
  assert.is(textWidth('Toby', 'text', 40), 2 * textWidth('Toby', 'text', 20))
  assert.ok(textWidth('To', 'text', 100) < textWidth('T', 'text', 100) + textWidth('o', 'text', 100))
  assert.is(textWidth('To', 'text', 100), textWidth('T🐶o', 'text', 100))
})

letters('texts become outlines, without any text for a font', () => {
  const svg = renderText('A B', { x: 10, y: 20, size: 30, fill: '#000' })
  assert.is(svg.match(/<path /g)!.length, 2)
  assert.not.match(svg, /<text|font/)
  assert.match(svg, 'translate(10.0 20.0)')
  const [, left] = /translate\(([\d.]+) /.exec(renderText('Toby', { x: 500, y: 0, size: 30, fill: '#000', end: true }))!
  assert.ok(Math.abs(Number(left) - (500 - textWidth('Toby', 'text', 30))) < 0.1)
})

letters('a text that is too long is truncated where it fits', () => {
  assert.is(truncateToWidth('Toby', 'text', 30, 400), 'Toby')
  const cut = truncateToWidth('Sant Esteve de la Sarga', 'text', 30, 200)
  assert.match(cut, /^Sant E.*[^ ]…$/)
  assert.ok(textWidth(cut, 'text', 30) <= 200)
})

letters('the largest fitting size is chosen', () => {
  assert.equal(fitText('Toby', 'head', [100, 50], 500, 2), { lines: ['Toby'], size: 100 })
  assert.equal(fitText('Pastor Alemán', 'head', [100, 50], 400, 2), { lines: ['Pastor', 'Alemán'], size: 100 })
  assert.is(fitText('Pastor Alemán', 'head', [100, 50], 400, 1).size, 50)
})

letters('no line is wider than its box, and there are no more lines than allowed', () => {
  const texts = [
    'W'.repeat(300),
    'i',
    'a b c d e f g h i j k l m n o p',
    'Maximiliano de las Mercedes y Todos los Santos',
    'Ñ',
  ]
  for (const text of texts)
    for (const family of ['head', 'text'] as Family[])
      for (const width of [120, 300, 530])
        for (const most of [1, 2, 3]) {
          const { lines, size } = fitText(text, family, [112, 76, 40], width, most)
          assert.ok(lines.length >= 1 && lines.length <= most, `${lines.length} lines of ${text}`)
          for (const line of lines) assert.ok(textWidth(line, family, size) <= width, `${line} at ${size}`)
        }
})
