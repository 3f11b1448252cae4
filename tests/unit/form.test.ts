import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formLimit, parseForm } from '#server/form.ts'

const MB = 1024 * 1024
const forms = suite('form')

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { status: number; message: string }) => error,
  )
/** Every way to write a part and its boundary that the parser takes. */
const TYPES = [
  'multipart/form-data; boundary=x',
  'Multipart/Form-Data;boundary="x"',
  'multipart/form-data; charset=utf-8; BOUNDARY=x; boundary=y',
  'multipart/form-data;  boundary=x ;q',
  'multipart/form-data; boundary="\\x"',
]
const HEADS = [
  'Content-Disposition: form-data; name="a"',
  'content-disposition:Form-Data;name=a',
  'Content-Disposition: form-data; name="a"; filename="b"\r\nContent-Type: image/jpeg',
]

forms('as many fields as a form of ours may have are read, of one more nothing, however it is written', async () => {
  for (const type of TYPES)
    for (const head of HEADS) {
      const body = (parts: number) => bytesOf(`${`--x\r\n${head}\r\n\r\n\r\n`.repeat(parts)}--x--\r\n`)
      assert.is([...(await parseForm(body(100), type))].length, 100, `${type} ${head}`)
      const refused = await failure(parseForm(body(101), type))
      assert.equal([refused?.status, refused?.message], [422, 'El formulario tiene demasiados campos.'], type)
    }
})

forms('fields without files take no more room than fields need', () => {
  assert.is(formLimit('application/x-www-form-urlencoded; charset=utf-8', 44 * MB), 64 * 1024)
  assert.is(formLimit('application/x-www-form-urlencoded', 4096), 4096)
  assert.is(formLimit('multipart/form-data; boundary=x', 44 * MB), 44 * MB)
  for (const type of ['', 'text/plain', 'application/json'])
    assert.throws(
      () => formLimit(type, MB),
      (error: { status: number }) => error.status === 415,
    )
})

forms('what cannot be read is told', async () => {
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', ...TYPES])
    assert.is((await failure(parseForm(bytesOf('what is this'), type)))?.status, 422, type)
})

forms.run()
