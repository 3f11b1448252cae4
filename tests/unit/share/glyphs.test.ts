import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  truncateToWidth,
  drawableText,
  type Family,
  fitText,
  textWidth,
  renderText,
} from '#features/share/glyphs.server.ts'

const letters = suite('share letters')

letters('what no drawing has is left out, and what is left reads on', () => {
  assert.is(drawableText('Toby 🐶  el   «Ñoño»'), 'Toby el «Ñoño»')
  assert.is(drawableText('e\u0301'), 'é')
  assert.is(drawableText('Łukasz Ștefan, ¿qué?'), 'Łukasz Ștefan, ¿qué?')
  assert.is(drawableText('🐶🐶'), '')
  assert.is(drawableText('Собака 犬'), '')
  assert.is(drawableText('constructor\n__proto__'), 'constructor __proto__')
})

letters('a text is as wide as its letters, closer where they lean into each other', () => {
  assert.is(textWidth('', 'head', 100), 0)
  assert.is(textWidth('Toby', 'text', 40), 2 * textWidth('Toby', 'text', 20))
  assert.ok(textWidth('To', 'text', 100) < textWidth('T', 'text', 100) + textWidth('o', 'text', 100))
  assert.is(textWidth('To', 'text', 100), textWidth('T🐶o', 'text', 100))
})

letters('texts become outlines: nothing is left that a font would have to draw', () => {
  const svg = renderText('A B', { x: 10, y: 20, size: 30, fill: '#000' })
  assert.is(svg.match(/<path /g)!.length, 2)
  assert.not.match(svg, /<text|font/)
  assert.match(svg, 'translate(10.0 20.0)')
  const [, left] = /translate\(([\d.]+) /.exec(renderText('Toby', { x: 500, y: 0, size: 30, fill: '#000', end: true }))!
  assert.ok(Math.abs(Number(left) - (500 - textWidth('Toby', 'text', 30))) < 0.1)
})

letters('what is too long is cut where it still fits', () => {
  assert.is(truncateToWidth('Toby', 'text', 30, 400), 'Toby')
  const cut = truncateToWidth('Sant Esteve de la Sarga', 'text', 30, 200)
  assert.match(cut, /^Sant E.*[^ ]…$/)
  assert.ok(textWidth(cut, 'text', 30) <= 200)
})

letters('the largest size that holds is taken', () => {
  assert.equal(fitText('Toby', 'head', [100, 50], 500, 2), { lines: ['Toby'], size: 100 })
  assert.equal(fitText('Pastor Alemán', 'head', [100, 50], 400, 2), { lines: ['Pastor', 'Alemán'], size: 100 })
  assert.is(fitText('Pastor Alemán', 'head', [100, 50], 400, 1).size, 50)
})

letters('no line is ever wider than its place, nor are there more', () => {
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

letters.run()
