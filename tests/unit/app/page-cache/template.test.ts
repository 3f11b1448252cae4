import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { PageTemplate, type ReaderParts } from '#app/page-cache/template.ts'
import { MEMBER_SLOTS, slotMarker, type MemberSlot } from '#lib/member-slots.ts'
import { assert, suite } from '#tests/support/suites.ts'

const template = suite('unit/app/page-cache/template')

type Texts = Record<MemberSlot, string>
const textsOf = (text: (slot: MemberSlot) => string) =>
  Object.fromEntries(MEMBER_SLOTS.map((slot) => [slot, text(slot)])) as Texts
const heart = (id: string, liked = false) =>
  `<button data-like="${id}" data-likes="3" aria-pressed="${liked}" aria-disabled="false"></button>`

const followButton = (slug: string, followed = false) =>
  `<button class="btn follow" name="seguir" data-follow="breed:${slug}" value="${followed ? '0' : '1'}"></button>`

const READER = randomUUID()
const comment = (isOwn: boolean, userId: string, state: 0 | 1) =>
  `<li data-by="${isOwn ? READER : userId}" data-own="${state}">Qué guapo</li>`

/** A part of a page: text that repeats itself, a slot, a heart, a follow button, a comment. */
const part = fc.oneof(
  fc.tuple(
    fc.constant('text' as const),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.integer({ min: 1, max: 700 }),
  ),
  fc.tuple(fc.constant('slot' as const), fc.constantFrom(...MEMBER_SLOTS)),
  fc.tuple(fc.constant('heart' as const), fc.boolean()),
  fc.tuple(fc.constant('follow' as const), fc.boolean()),
  fc.tuple(fc.constant('comment' as const), fc.boolean()),
)

template('a composed page is the page of that reader, whatever it consists of', () => {
  const property = fc.property(
    fc.array(part, { maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    (parts, own) => {
      const texts = textsOf((slot) => `${slot} ${own.replace(/[&<>"']/g, '')}`)
      const liked = new Set<string>()
      const followed = new Set<string>()
      let source = ''
      let expected = ''
      for (const [kind, value, times] of parts) {
        if (kind === 'text') {
          // Half a surrogate pair has no UTF-8.
          const text = value.toWellFormed().repeat(times)
          source += text
          expected += text
        } else if (kind === 'slot') {
          source += slotMarker(value)
          expected += texts[value]
        } else if (kind === 'comment') {
          const other = randomUUID()
          source += comment(value, other, 0)
          expected += comment(value, other, value ? 1 : 0)
        } else if (kind === 'follow') {
          const slug = `raza-${randomUUID()}`
          if (value) followed.add(`breed:${slug}`)
          source += followButton(slug)
          expected += followButton(slug, value)
        } else {
          const id = randomUUID()
          if (value) liked.add(id)
          source += heart(id)
          expected += heart(id, value)
        }
      }
      const page = new PageTemplate(source)
      const reader = { slots: texts, like: liked, follow: followed, comment: new Set([READER]) }
      assert.is(page.fillIn(reader).toString(), expected)
    },
  )
  fc.assert(property, { numRuns: 150 })
})

const readerOf = (text: string, liked: string[] = []): ReaderParts => ({
  slots: textsOf(() => text),
  like: new Set(liked),
  follow: new Set(),
  comment: new Set(),
})

template('a page for one reader leaves the template as it is for the next', () => {
  const id = randomUUID()
  const page = new PageTemplate(`<b>${slotMarker('alias')}</b>${heart(id)}${'perro '.repeat(500)}${heart(id)}`)
  const read = (alias: string, isLiked: boolean) => page.fillIn(readerOf(alias, isLiked ? [id] : [])).toString()
  const before = read('Ana', false)
  read('Un alias mucho más largo que el de Ana', true)
  assert.is(read('Ana', false), before)
})

template('a member’s text is escaped as Astro does it', () => {
  const text = new PageTemplate(slotMarker('alias')).fillIn(readerOf(`<Ana & 'Bo' "C">`)).toString()
  assert.is(text, '&lt;Ana &amp; &#39;Bo&#39; &quot;C&quot;&gt;')
})

template('a page does not keep the text that it was made of', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const pages: PageTemplate[] = []
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 100; n++)
    pages.push(
      new PageTemplate(`${n} ${heart(randomUUID())} ${slotMarker('alias')} ${'Vive en Madrid. '.repeat(6000)}`),
    )
  collectGarbage()
  const kept = process.memoryUsage().heapUsed - before
  assert.is(pages.length, 100)
  assert.ok(kept < 2_000_000, `${kept} bytes, the texts have ten million`)
})

template('text that looks like a slot of another process stays text', () => {
  const text = '\u0091alias\u0092 \u0091\u0092'
  const page = new PageTemplate(text)
  assert.is(page.fillIn(readerOf('secreto')).toString(), text)
})
