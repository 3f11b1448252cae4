import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { crc32, gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { combineCrc32, shiftOf } from '#app/member-pages/crc32-combine.ts'
import { SendBuffers } from '#app/member-pages/send-buffers.ts'
import type { SwitchKind } from '#app/member-pages/switches.ts'
import { PageTemplate, toSlotPiece } from '#app/member-pages/template.ts'
import { MEMBER_SLOTS, slotMarker, type MemberSlot } from '#lib/member-slots.ts'

const template = suite('unit/app/member-pages/template')

type Texts = Record<MemberSlot, string>
const textsOf = (text: (slot: MemberSlot) => string) =>
  Object.fromEntries(MEMBER_SLOTS.map((slot) => [slot, text(slot)])) as Texts
const slotsOf = (texts: Texts) =>
  Object.fromEntries(MEMBER_SLOTS.map((slot) => [slot, toSlotPiece(texts[slot])])) as Record<
    MemberSlot,
    ReturnType<typeof toSlotPiece>
  >
const heart = (id: string, liked = false) =>
  `<button data-like="${id}" data-likes="3" aria-pressed="${liked}" data-on="${liked ? '1' : ''}" aria-disabled="false"></button>`

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

template('a composed page is the page of that reader, plain and as gzip, whatever it consists of', () => {
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
      const reader = {
        slots: slotsOf(texts),
        isOn: (kind: SwitchKind, key: string) =>
          kind === 'comment' ? key === READER : (kind === 'like' ? liked : followed).has(key),
      }
      assert.is(page.composePlain(reader).toString(), expected)
      assert.is(gunzipSync(Buffer.concat(page.composeGzip(reader))).toString(), expected)
    },
  )
  fc.assert(property, { numRuns: 150 })
})

const NO_READER = { slots: slotsOf(textsOf((slot) => slot)), isOn: () => false }
const composed = (page: PageTemplate) => gunzipSync(Buffer.concat(page.composeGzip(NO_READER))).toString()

/** Text that does not repeat itself. @param chars a multiple of 36 */
const randomText = (chars: number) => Array.from({ length: chars / 36 }, () => randomUUID()).join('')

template('a page that is rendered again has the blocks of its unchanged text from the one before', () => {
  const cards = Array.from({ length: 24 }, () => randomText(1800) + heart(randomUUID()))
  const first = new PageTemplate(cards.join(''))
  const changed = cards.with(10, randomText(1800) + heart(randomUUID())).join('')
  const again = new PageTemplate(changed, { known: first.blocks })
  assert.is(composed(again), changed)
  const compressed = [...again.blocks.keys()].filter((key) => !first.blocks.has(key))
  // The card, and those that may refer to it.
  assert.ok(compressed.length >= 1 && compressed.length <= 6, `${compressed.length} of ${again.blocks.size}`)
  assert.is(composed(new PageTemplate(changed)), changed)
})

template('a page is the same whatever was rendered before it', () => {
  // Longer than what blocks refer to, and shorter.
  const texts = [
    randomText(72),
    randomText(720),
    randomText(7200),
    randomText(9000),
    randomText(36_000),
    '<p>a</p>',
    '',
  ]
  const hearts = [heart(randomUUID()), heart(randomUUID()), slotMarker('live')]
  const page = fc.array(fc.constantFrom(...texts, ...hearts), { maxLength: 12 }).map((parts) => parts.join(''))
  const property = fc.property(page, page, (before, after) => {
    const { blocks } = new PageTemplate(before)
    const expected = composed(new PageTemplate(after))
    assert.is(composed(new PageTemplate(after, { known: blocks })), expected)
  })
  fc.assert(property, { numRuns: 150 })
})

template('a page for one reader leaves the template as it is for the next', () => {
  const id = randomUUID()
  const page = new PageTemplate(`<b>${slotMarker('alias')}</b>${heart(id)}${'perro '.repeat(500)}${heart(id)}`)
  const read = (alias: string, isLiked: boolean) =>
    gunzipSync(
      Buffer.concat(page.composeGzip({ slots: slotsOf(textsOf(() => alias)), isOn: () => isLiked })),
    ).toString()
  const before = read('Ana', false)
  read('Un alias mucho más largo que el de Ana', true)
  assert.is(read('Ana', false), before)
})

template('a member’s text is escaped as Astro does it', () => {
  const reader = { slots: slotsOf(textsOf(() => `<Ana & 'Bo' "C">`)), isOn: () => false }
  const text = new PageTemplate(slotMarker('alias')).composePlain(reader).toString()
  assert.is(text, '&lt;Ana &amp; &#39;Bo&#39; &quot;C&quot;&gt;')
})

template('the pieces of a page keep no more memory than they say', () => {
  const html = Array.from({ length: 40 }, (_, n) => `${heart(randomUUID())}<p>${n} ${slotMarker('alias')}</p>`).join('')
  const page = new PageTemplate(html)
  const buffers = new Set(page.parts.map((part) => ('deflated' in part ? part.deflated.buffer : null)))
  buffers.delete(null)
  const kept = [...buffers].reduce((sum, buffer) => sum + buffer!.byteLength, 0)
  assert.ok(kept <= page.bytes, `${kept} of ${page.bytes} bytes`)
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
  const reader = { slots: slotsOf(textsOf(() => 'secreto')), isOn: () => false }
  assert.is(page.composePlain(reader).toString(), text)
})

template('a repeated card takes few bytes although a heart stands in each', () => {
  const card = (n: number) =>
    `<article><h3>Perro ${n}</h3><p>${'Vive en Madrid y le gusta el mar. '.repeat(12)}</p>${heart(randomUUID())}</article>`
  const html = Array.from({ length: 24 }, (_, n) => card(n)).join('')
  const reader = { slots: slotsOf(textsOf(() => '')), isOn: () => false }
  const { length } = Buffer.concat(new PageTemplate(html).composeGzip(reader))
  assert.ok(length < 4000, `${length} bytes`)
})

template('checksums of parts combine to that of the whole', () => {
  const property = fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (a, b) => {
    assert.is(combineCrc32(crc32(a), crc32(b), shiftOf(b.length)), crc32(Buffer.concat([a, b])))
  })
  fc.assert(property)
  const long = Buffer.alloc(100_000, 'perro')
  assert.is(combineCrc32(crc32('a'), crc32(long), shiftOf(long.length)), crc32(Buffer.concat([Buffer.from('a'), long])))
})

template('memory is used again only where every page in it is sent', () => {
  const buffers = new SendBuffers()
  const filled = (n: number) => [Buffer.alloc(200_000, n)]
  const first = buffers.join(filled(1))
  for (let n = 2; n < 40; n++) {
    const joined = buffers.join(filled(n))
    assert.is(joined.body[0], n)
    joined.release()
  }
  assert.ok(first.body.every((byte) => byte === 1))
  first.release()
})

template('pages that are never sent hold a bounded number of slabs', () => {
  const buffers = new SendBuffers()
  const parents = new Set<ArrayBufferLike>()
  const large = 1024 * 1024
  for (let n = 0; n < 100; n++) {
    const { body } = buffers.join([Buffer.alloc(250_000, n)])
    assert.ok(body.every((byte) => byte === n))
    if (body.buffer.byteLength === large) parents.add(body.buffer)
  }
  assert.ok(parents.size <= 8, `${parents.size} slabs`)
})

template.run()
