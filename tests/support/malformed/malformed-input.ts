import * as fc from 'fast-check'

/** One of these, each as often as its weight says. */
export const weighted = <T>(...choices: [weight: number, arbitrary: fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** Texts that something, somewhere, once took the wrong way. */
const MALFORMED_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\r\nX-Inyectada: 1',
  "' OR 1=1 --",
  '"; DROP TABLE dogs; --',
  '<script>alert(1)</script>',
  '{{7*7}}${7*7}',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '%00',
  '%',
  '%zz',
  '%c0%ae%c0%ae/',
  '%ff%fe',
  '%ed%a0%80',
  '%0d%0aX-Inyectada:%201',
  '\ud800',
  '\udfff\ud800',
  '\u202Eabc',
  '\ufeff',
  'ñandú Ñ é',
  'e\u0301'.repeat(300),
  '👨‍👩‍👧‍👦'.repeat(40),
  '\u0000\u0001\u001f\u007f\u0085',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '-1e309',
  '9007199254740993',
  '99999999999999999999999999',
  '0x10',
  '1,5',
  '٣',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '[]',
  '{}',
  '{"$gt":""}',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '-4,40,-3',
  '-400,-400,400,400',
  'nan,nan,nan,nan',
  '4,41,-3,40',
  'https://otro.example/',
  '//otro.example',
  '/\\otro.example',
  'javascript:alert(1)',
  'eyJpZCI6MX0',
  'eyJ2IjpbbnVsbCwxZTk5OV19',
  'W10',
  'bnVsbA',
  '=1+1',
  'a@b',
  '"a b"@ejemplo.es',
  'ana@ejemplo.es\nBcc: otro@ejemplo.es',
  `${'a'.repeat(300)}@ejemplo.es`,
  // What some field somewhere takes.
  'discoverer',
  'gigante',
  'age-asc',
  'delete',
  'ban',
  'restore',
  'photo',
  'comment',
  'profile',
  '{dog}',
  '{found}',
  '{stray}',
  '{unclaimed}',
  '{held}',
  '{case}',
  '{decision}',
  '{comment}',
  '{notification}',
  '{session}',
  '{owner}',
  '{other}',
  '{photo}',
  '{cursor}',
]

const repeated = fc
  .tuple(fc.constantFrom('a', 'ñ', '\0', '%41', '😀', '(', '../', 'a '), fc.constantFrom(100, 1000, 5000, 20_000))
  .map(([text, times]) => text.repeat(times))

export const malformedText: fc.Arbitrary<string> = weighted(
  [6, fc.constantFrom(...MALFORMED_TEXTS)],
  [3, fc.string({ unit: 'binary', maxLength: 40 })],
  [1, fc.string({ unit: 'grapheme', maxLength: 300 })],
  [1, repeated],
)

const nestedArray = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

const NUMBERS = [0, -1, 1.5, 1e308, -1e308, 2 ** 53, Number.MIN_VALUE]
const OBJECTS = [[], {}, [[]], [null], { toString: 1 }, { length: -1 }, nestedArray(50), nestedArray(3000)]

/** Values that stand where another kind was meant. */
export const malformedValue: fc.Arbitrary<unknown> = weighted<unknown>(
  [6, malformedText],
  [4, fc.constantFrom<unknown>(null, true, false, ...NUMBERS, ...OBJECTS)],
  [2, fc.jsonValue({ maxDepth: 4 })],
  [1, fc.array(malformedText, { minLength: 1, maxLength: 4 })],
)

/** Whole bodies that are no JSON, or none one expects. */
export const malformedJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '1',
    '"x"',
    '\ufeff{}',
    '{"a":1,}',
    '{"__proto__":{"admin":true},"content":"x"}',
    '{"constructor":{"prototype":{"x":1}},"name":"x"}',
    '{"content":1e999}',
    '{"content":"\\ud800"}',
    '{"content":"\\u0000"}',
    '{"name":"a","name":{"b":1}}',
    '['.repeat(20_000),
    '{"a":'.repeat(5000),
    `[${'1,'.repeat(30_000)}1]`,
    `{"content":"${'x'.repeat(70_000)}"}`,
    `{${Array.from({ length: 3000 }, (_, i) => `"k${i}":${i}`).join()}}`,
  ),
  fc.json({ maxDepth: 6 }),
  malformedText,
)

/** A PNG header that claims so many pixels and holds none. */
function pngHeader(width: number, height: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000806000000000000000000000049444154', 'hex')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return head
}

/** Files that say they are photos, base64: cases are plain text, so that they can be printed. */
export const MALFORMED_PICTURES: Readonly<Record<string, Buffer>> = {
  empty: Buffer.alloc(0),
  text: Buffer.from('Esto no es una foto.'),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  'png 60000x60000': pngHeader(60_000, 60_000),
  'png 0x0': pngHeader(0, 0),
  'png 4294967295': pngHeader(0xffffffff, 0xffffffff),
  'jpeg head': Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb', 'hex'),
  'jpeg huge': Buffer.from('ffd8ffc0001108ffffffff03012200021101031101ffda000c03010002110311003f00', 'hex'),
  gif: Buffer.from('GIF89a\xff\xff\xff\xff\0\0\0;', 'latin1'),
  webp: Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8L\xff\xff\xff\x7f', 'latin1'),
  heic: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1'),
  tiff: Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1'),
  zip: Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1'),
  zeros: Buffer.alloc(300_000),
}
