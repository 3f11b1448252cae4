import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { warnOfDecoder } from '../../../src/app/startup-checks.ts'
import { PictureDecoder } from '#features/photos/decode/decoder.server.ts'
import { preparePhoto } from '#features/photos/ingest.server.ts'
import { RenderQueueFull, renderPhoto } from '#features/photos/render/render.server.ts'
import { markSharpMissing } from '#features/photos/render/sharp.server.ts'
import { makeFolder } from '#features/storage/files.server.ts'
import { setLog } from '#server/log/log.ts'
import { operatorWarnings } from '#server/operator-warnings.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { assert, captureConsole, folderSuite, refusal } from '#tests/support/suites.ts'

// A machine on which sharp cannot be loaded, as a processor that it is not built for.
const machine = folderSuite<{ lines: string[] }>('unit/photos/no-decoder')
machine.before.each((t) => {
  t.lines = []
  setLog({ write: (_, text) => t.lines.push(text), isSilent: false, isTerminal: false })
})
machine.after.each(() => {
  setLog(undefined)
  markSharpMissing(false)
})

machine('a decoder that starts is no fault', async ({ lines }) => {
  assert.equal([await warnOfDecoder(new PictureDecoder()), lines], [true, []])
})

machine('the start says it in one line, and nothing is logged for each photo', async ({ dir, lines }) => {
  const entry = join(dir, 'decoder.mjs')
  writeFileSync(entry, `throw new Error('Could not load the "sharp" module using the linux-x64 runtime')`)
  assert.is(await warnOfDecoder(new PictureDecoder(entry)), false)
  const text = 'Las fotos no se pueden preparar, y no se admiten nuevas: su proceso no arranca'
  const expected = [`${text} (Error: Could not load the "sharp" module using the linux-x64 runtime)`]
  assert.equal(lines, expected)
  assert.equal(operatorWarnings(), expected)

  using said = captureConsole()
  assert.is((await refusal(preparePhoto(await photo())))[0], 503)
  const name = '00000000-0000-4000-8000-000000000000_1700000000000_abcdefgh.jpg'
  await makeFolder(join(dir, 'photos'))
  writeFileSync(join(dir, 'photos', name), await photo())
  const render = renderPhoto(dir, name, { box: 'card', scale: 1 }, 'webp')
  assert.instance(await render.catch((failure: unknown) => failure), RenderQueueFull)
  assert.equal(said, [])
})
