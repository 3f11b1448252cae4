import { tidyComment, commentProblem } from '#features/comments/comments.ts'
import { tidyAlias } from '#features/profiles/alias.ts'
import { altsSchema, dogSchema } from '#features/dogs/write/dog-input.ts'
import { textSchema } from '#features/moderation/text-schema.ts'
import { breedEditSchema } from '#features/breeds/edit.ts'
import { replaceConfusables } from '#lib/text/confusables.ts'
import { normaliseText, sanitise } from '#lib/text/normalise.ts'
import { countCharacters, truncateCharacters, foldText } from '#lib/text/text.ts'
import { assert, pluck, suite } from '#tests/support/suites.ts'

const text = suite('unit/lib/text')

text('counts graphemes', () => {
  assert.is(countCharacters('perro'), 5)
  assert.is(countCharacters('👩‍👩‍👧‍👦🇪🇸'), 2)
  assert.is(countCharacters('año'.normalize('NFD')), 3)
})

text('counts and cuts Latin text, line ends and marks as a segmenter does', () => {
  const segmenter = new Intl.Segmenter('es', { granularity: 'grapheme' })
  const units = Array.from({ length: 0x340 }, (_, code) => String.fromCharCode(code))
  for (const unit of units)
    for (const typed of [`a${unit}b`, `${unit}\u0301b`, `\r${unit}b`, `${unit}\u200Db`]) {
      const segments = Array.from(segmenter.segment(typed), ({ segment }) => segment)
      assert.is(countCharacters(typed), segments.length, JSON.stringify(typed))
      assert.is(truncateCharacters(typed, 1), segments[0], JSON.stringify(typed))
    }
})

text('never splits an emoji', () => {
  assert.is(truncateCharacters('ab👨‍👩‍👧cd', 3), 'ab👨‍👩‍👧')
  assert.is(truncateCharacters('corto', 1000), 'corto')
})

text('sanitises as specified: trim, no < or >, 1000 characters', () => {
  assert.equal([sanitise('  <b>Toby</b> '), countCharacters(sanitise('ñ'.repeat(1200)))], ['bToby/b', 1000])
})

text('removes accents and case', () => {
  assert.equal([foldText('Pastor ALEMÁN'), foldText('Ñandú')], ['pastor aleman', 'nandu'])
})

/** What becomes of a text in each field that holds one; '' for nothing. */
const FIELDS: Record<string, (typed: string) => string> = {
  name: (name) => dogSchema.parse({ name }).name.replace('???', ''),
  breed: (breed) => dogSchema.parse({ breed }).breed.replace('Mestizo', ''),
  zone: (zone) => dogSchema.parse({ zone }).zone ?? '',
  description: (description) => dogSchema.parse({ description }).description ?? '',
  alt: (alt) => altsSchema.parse({ alts: [alt] }).alts[0] ?? '',
  comment: tidyComment,
  'report, appeal, decision': (typed) => textSchema(500, { long: 'largo' }).parse(typed),
  'a breed’s origin': (typed) => breedEditSchema.shape.pais_origen.parse(typed),
}
const fields = Object.entries(FIELDS)

text('a text that is far too long is refused once, before its characters are counted', () => {
  const found = textSchema(500, { long: 'largo' }).safeParse('x'.repeat(20_000))
  assert.equal(pluck(found.error!.issues, 'message'), ['largo'])
})

text('a text without visible characters is empty, in every field', () => {
  const unseen = [
    '',
    ' \n\t',
    '\u200B',
    '\u200D\u2060\uFEFF',
    '\u00AD',
    '\u3164',
    '\u2800',
    '\uFE0F',
    '\u0000',
    '\u{E0041}',
  ]
  const marks = ['\u0301', '\u0301\u0308 \u0327', '\u20E3']
  for (const typed of [...unseen, ...marks])
    for (const [field, read] of fields) assert.is(read(typed), '', `${field}: ${JSON.stringify(typed)}`)
  assert.is(commentProblem(tidyComment('\u0301')), 'Escribe un comentario.')
})

text('direction marks are removed alike, in every field', () => {
  const marks = [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
  for (const mark of marks.map((code) => String.fromCodePoint(code)))
    for (const [field, read] of fields)
      assert.is(read(`${mark}Ana${mark} y Luis${mark}`), 'Ana y Luis', `${field}: ${mark.codePointAt(0)!.toString(16)}`)
})

const INVISIBLE_CODES = (
  '0000 0007 001B 0085 00AD 034F 061C 115F 1160 17B4 180B 180E 200B 200C 200D 200E 202E 2060 2062 2067 ' +
  '2800 3164 FE00 FE0E FE0F FEFF FFA0 FFF9 1D173 E0001 E0061 E007F E0100'
).split(' ')

text('invisible characters are removed without a blank, in every field', () => {
  for (const code of INVISIBLE_CODES)
    for (const [field, read] of [...fields, ['alias', tidyAlias] as const]) {
      const [char, message] = [String.fromCodePoint(parseInt(code, 16)), `${field}: ${code}`]
      assert.is(read(`Ro${char}ky`), 'Roky', message)
      assert.is(read(`${char}Ro${char.repeat(3)}ky Sur${char} ${char}`), 'Roky Sur', message)
    }
})

text('combining marks stay in names and zones, also beside invisible characters', () => {
  for (const field of ['name', 'breed', 'zone', 'alt', 'description', 'comment'])
    for (const typed of ['G\u0303uaran\u00ed', 'O\u0331\u0301', 'Vu\u0329'])
      assert.is(
        FIELDS[field]!(typed.replace(/(?=\p{M})/gu, '\u034F\uFE0F\u034F')).normalize(),
        typed.normalize(),
        field,
      )
})

text('emoji stay whole where a text may have them', () => {
  const emoji = [
    '❤️',
    '❤\uFE0E',
    '👩‍👩‍👧‍👦',
    '👩🏽‍🦰',
    '🏳️‍⚧️',
    '🐕‍🦺',
    '🇪🇸',
    '1️⃣',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  ]
  for (const field of ['alt', 'description', 'comment', 'report, appeal, decision'])
    for (const typed of emoji) {
      assert.is(FIELDS[field]!(`Hola ${typed} y ${typed}`), `Hola ${typed} y ${typed}`, field)
      assert.is(FIELDS[field]!(`Hola ${typed}\u200D\u034F.`), `Hola ${typed}.`, field)
    }
})

text('line ends become LF, or a space where a field has one line', () => {
  for (const end of ['\n', '\r\n', '\r', '\u2028', '\u2029'])
    for (const [field, read] of fields)
      assert.match(read(`uno${end}dos`), /^uno[\n ]dos$/, `${field}: ${JSON.stringify(end)}`)
  for (const field of ['description', 'comment', 'report, appeal, decision'])
    assert.is(FIELDS[field]!('uno\r\n\r\ndos'), 'uno\n\ndos', field)
})

text('characters that belong to a text stay: accents, emoji, other scripts', () => {
  const seen = [
    'e\u0301',
    '1\uFE0F\u20E3',
    '👩‍👩‍👧‍👦',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
    'कि',
    'שלום',
    'می\u200Cخواهم',
    'क्\u200Dष',
  ]
  for (const typed of seen) assert.is(normaliseText(typed), typed)
})

text('marks on one letter are limited, in every field and before any comparison', () => {
  const piled = [...'Toby'].map((letter) => letter + '\u0316'.repeat(250) + '\u0301'.repeat(250)).join('')
  for (const [field, read] of fields) {
    const kept = read(piled)
    assert.not.match(kept, /\p{M}{4}/u, field)
    assert.ok(kept.length <= 16, `${field}: ${kept.length}`)
  }
  assert.equal([foldText(piled), replaceConfusables(piled).length], ['toby', 4 * 4])
})

text('of line breaks at most two in a row stay, whatever is between them', () => {
  assert.is(normaliseText(`a${'\n'.repeat(300)}b`), 'a\n\nb')
  assert.is(normaliseText('a\r\n \t\r\n\u2028\u00a0\nb\nc\n\nd'), 'a\n\nb\nc\n\nd')
})
