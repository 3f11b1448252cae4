import { formMaxBytes, parseForm } from '#server/body/form.ts'
import { assert, suite } from '#tests/support/suites.ts'

const MB = 1024 * 1024
const forms = suite('unit/server/form-parsing')

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { status: number; message: string }) => error,
  )
/** How browsers, curl and HTTP libraries write the type of a form. */
const TYPES = [
  'multipart/form-data; boundary=x',
  'Multipart/Form-Data;boundary="x"',
  'multipart/form-data; BOUNDARY=x',
  'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW',
  'multipart/form-data; boundary=----geckoformboundaryf9a2c0b1e4d35768a1b2c3d4e5f60718',
  'multipart/form-data; boundary=----formdata-undici-012345678901',
  'multipart/form-data; boundary=------------------------d74496d66958873e',
  'multipart/form-data; boundary="b5a4-(7)+,./:=?_c"',
  `multipart/form-data; boundary=${'b'.repeat(70)}`,
]
/** What two readers may read two ways, or nobody writes. */
const ODD_TYPES = [
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  `multipart/form-data; boundary=${'x'.repeat(71)}`,
  'multipart/form-data; boundary="x y"',
  'multipart/form-data; boundary=x; boundary=x',
  'multipart/form-data; charset=utf-8; boundary=x',
  'multipart/form-data; boundary=x; charset=utf-8',
  'multipart/form-data; boundary=zzz, multipart/form-data; boundary=x',
  'multipart/form-data, multipart/form-data; boundary=x',
  'multipart/form-data; boundary=x, multipart/form-data; boundary=zzz',
  'multipart/form-data; boundary="\\x"',
  'multipart/form-data; boundary="x',
  'multipart/form-data; boundary="x"y',
  'multipart/form-data; boundary=\u00e9',
  'multipart/form-data; boundary="\u00e9"',
  'multipart/form-data;  boundary=x ;q',
]
const HEADS = [
  'Content-Disposition: form-data; name="a"',
  'content-disposition:form-data;name="a"',
  'Content-Disposition: form-data; name="a"; filename="b"\r\nContent-Type: image/jpeg',
]
const boundaryOf = (type: string) => /boundary="?([^"]*)"?$/i.exec(type)![1]!
const bodyOf = (mark: string, head: string, parts = 1, value = '') =>
  bytesOf(`${`--${mark}\r\n${head}\r\n\r\n${value}\r\n`.repeat(parts)}--${mark}--\r\n`)

forms(
  'as many fields as our largest form has are parsed, and a form with one more is not, in every spelling',
  async () => {
    for (const type of TYPES)
      for (const head of HEADS) {
        const body = (parts: number) => bodyOf(boundaryOf(type), head, parts)
        assert.is([...(await parseForm(body(100), type))].length, 100, `${type} ${head}`)
        const refused = await failure(parseForm(body(101), type))
        assert.equal([refused?.status, refused?.message], [422, 'El formulario tiene demasiados campos.'], type)
      }
  },
)

forms('an ambiguous content type is refused, so no boundary is counted and another one parsed', async () => {
  for (const type of ODD_TYPES)
    for (const mark of ['x', 'zzz', '\u00e9', 'x'.repeat(71)]) {
      const refused = await failure(parseForm(bodyOf(mark, HEADS[0]!, 3), type))
      assert.equal([refused?.status, refused?.message], [422, 'El formulario no se pudo leer.'], `${type} ${mark}`)
    }
})

forms('a type that begins like another kind of form is parsed as that kind alone', async () => {
  const type = 'application/x-www-form-urlencoded, multipart/form-data; boundary=x'
  const form = await parseForm(bodyOf('x', HEADS[0]!, 300), type)
  assert.is([...form].length, 1)
})

forms('the headers of a part are bounded, whichever part and header it is', async () => {
  const [type, plain] = [TYPES[0]!, HEADS[0]!]
  const good = bodyOf('x', `Content-Disposition: form-data; name="a"; filename="${'%C3%B1'.repeat(255)}"`)
  assert.is([...(await parseForm(good, type))].length, 1)
  for (const head of [
    `Content-Disposition: form-data; name="${'%22'.repeat(700)}"`,
    `Content-Disposition: form-data; name="a"; filename="${'%22'.repeat(700)}"`,
    `${plain}${'\r\na: b'.repeat(350)}`,
    `${plain}${'\r\nContent-Disposition: form-data; name="a"'.repeat(50)}`,
    `${plain}${'; filename="b"'.repeat(150)}`,
    `${plain}\r\nX:${' '.repeat(2100)}y`,
    `${plain}\r\nContent-Type: a/b${';a=b'.repeat(530)}`,
  ]) {
    const first = bodyOf('x', head)
    const later = Buffer.concat([bytesOf(`--x\r\n${plain}\r\n\r\n\r\n`), first])
    for (const body of [first, new Uint8Array(later)])
      assert.is((await failure(parseForm(body, type)))?.status, 422, head.slice(0, 100))
  }
})

forms('the fields of a form with files have the limit of those without', async () => {
  const [text, , file] = HEADS
  assert.is([...(await parseForm(bodyOf('x', text!, 2, 'a'.repeat(32 * 1024)), TYPES[0]!))].length, 2)
  assert.is([...(await parseForm(bodyOf('x', file!, 2, 'a'.repeat(MB)), TYPES[0]!))].length, 2)
  // A part that calls itself a file elsewhere than where the parser reads it is text.
  for (const head of [text!, `X-filename: b\r\n${text}`]) {
    const refused = await failure(parseForm(bodyOf('x', head, 2, 'a'.repeat(33 * 1024)), TYPES[0]!))
    assert.equal([refused?.status, refused?.message], [422, 'El formulario tiene demasiado texto.'])
  }
})

forms('no more boundaries are read than parts are accepted, however many a body contains', async () => {
  for (const mark of ['--x', '--x--', '\r\n--x', '--x\r\n', '--x\r\n\r\n']) {
    let seen = 0
    const bytes = bytesOf(mark.repeat(100_000))
    const { indexOf } = Buffer.prototype
    Buffer.prototype.indexOf = function (this: Buffer, ...args: Parameters<typeof indexOf>) {
      seen++
      return indexOf.apply(this, args)
    } as typeof indexOf
    try {
      assert.is((await failure(parseForm(bytes, TYPES[0]!)))?.status, 422, mark)
    } finally {
      Buffer.prototype.indexOf = indexOf
    }
    assert.ok(seen < 300, `${mark}: ${seen}`)
  }
})

forms('fields without files take no more memory than fields need', () => {
  assert.is(formMaxBytes('application/x-www-form-urlencoded; charset=utf-8', 44 * MB), 64 * 1024)
  assert.is(formMaxBytes('application/x-www-form-urlencoded', 4096), 4096)
  assert.is(formMaxBytes('multipart/form-data; boundary=x', 44 * MB), 44 * MB)
  for (const type of ['', 'text/plain', 'application/json'])
    assert.throws(
      () => formMaxBytes(type, MB),
      (error: { status: number }) => error.status === 415,
    )
})

forms('an unreadable form is refused with a message', async () => {
  for (const type of [...ODD_TYPES, ...TYPES])
    assert.is((await failure(parseForm(bytesOf('what is this'), type)))?.status, 422, type)
})
