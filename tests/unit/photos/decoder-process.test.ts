import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { getPictureDecoder, openPictureDecoder } from '#features/photos/decode/decoder.server.ts'
import { readEnv } from '#server/env.ts'
import { DecoderProcess, DecodeStopped } from '#features/photos/decode/decoder-process.server.ts'
import type { DecodeTask } from '#features/photos/decode/tasks.server.ts'
import { preparePhoto } from '#features/photos/ingest.server.ts'
import type { AppError } from '#lib/errors.ts'
import { phonePhoto } from '#tests/support/photos/test-pictures.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { isRunning } from '#tests/support/process-tree.ts'
import { root } from '#tests/support/sources.ts'
import { assert, captureConsole, folderSuite } from '#tests/support/suites.ts'

const entry = join(root, 'src/features/photos/decode/child.server.ts')
const GENEROUS_LIMITS = { resident: 1e9, cpu: 60_000, wall: 60_000 }

const small = await photo()
/** Long enough under way to be stopped meanwhile. */
const large = await phonePhoto(6000, 4000)

const task = (bytes: Uint8Array): DecodeTask => ({ bytes, prepare: { side: 800 } })
const rejectionOf = (work: Promise<unknown>) =>
  work.then(
    () => 'decoded',
    (error: unknown) => (error instanceof DecodeStopped ? error.why : String(error)),
  )

async function waitUntilGone(pid: number): Promise<void> {
  for (const end = Date.now() + 20_000; isRunning(pid); await sleep(20))
    if (Date.now() > end) throw new Error(`process ${pid} goes on`)
}

const slots = folderSuite<{ slot: DecoderProcess }>('unit/photos/decoder-process')
slots.before.each((t) => {
  t.slot = new DecoderProcess(entry)
})
slots.after.each(({ slot }) => slot.close())

slots('the process starts with the first picture and is reused for the next', async ({ slot }) => {
  assert.is(slot.pid, undefined)
  const first = await slot.run(task(small), GENEROUS_LIMITS)
  assert.ok('photo' in first && first.photo.width === 64)
  const { pid } = slot
  assert.ok(pid && pid !== process.pid)
  const refused = await slot.run(task(Buffer.from('no es una foto')), GENEROUS_LIMITS)
  assert.equal(refused, { refused: 'damaged' })
  assert.ok('photo' in (await slot.run(task(small), GENEROUS_LIMITS)))
  assert.is(slot.pid, pid)
})

slots('the process receives nothing of the operator’s environment', async () => {
  process.env.SMTP_URL = 'smtp://user:canary-secret@mail.example'
  const slot = new DecoderProcess(entry, readEnv(process.env).decoderEnvironment)
  try {
    await slot.run(task(small), GENEROUS_LIMITS)
    const environment = existsSync('/proc') ? readFileSync(`/proc/${slot.pid}/environ`, 'latin1') : 'PATH='
    assert.match(environment, 'PATH=')
    assert.not.match(environment, 'canary-secret')
  } finally {
    slot.close()
    delete process.env.SMTP_URL
  }
})

for (const limit of ['resident', 'cpu', 'wall'] as const)
  slots(`the process is killed above its limit (${limit}), and the next picture has another`, async ({ slot }) => {
    await slot.run(task(small), GENEROUS_LIMITS)
    const pid = slot.pid!
    // Less than any process has taken already, or takes for this picture.
    assert.is(await rejectionOf(slot.run(task(large), { ...GENEROUS_LIMITS, [limit]: 5 })), limit)
    const next = slot.pid
    assert.ok(next && next !== pid, 'it has begun already')
    await waitUntilGone(pid)
    assert.ok('photo' in (await slot.run(task(small), GENEROUS_LIMITS)))
    assert.is(slot.pid, next)
  })

slots('a picture above the memory of a process that is not fresh may pass in another', async ({ slot }) => {
  const stopped = (): Promise<DecodeStopped> =>
    slot.run(task(large), { ...GENEROUS_LIMITS, resident: 5 }).then(
      () => assert.unreachable() as never,
      (error: DecodeStopped) => error,
    )
  assert.not.ok((await stopped()).mayPass)
  assert.not.ok((await stopped()).mayPass, 'the one in its place')
  await slot.run(task(small), GENEROUS_LIMITS)
  assert.ok((await stopped()).mayPass)
})

slots('the process is killed when its sender disconnects, and not started for a disconnected one', async ({ slot }) => {
  assert.is(await rejectionOf(slot.run(task(small), GENEROUS_LIMITS, AbortSignal.abort())), 'gone')
  assert.is(slot.pid, undefined)
  await slot.run(task(small), GENEROUS_LIMITS)
  const pid = slot.pid!
  const leaving = new AbortController()
  const work = rejectionOf(slot.run(task(large), GENEROUS_LIMITS, leaving.signal))
  await sleep(20)
  leaving.abort()
  assert.is(await work, 'gone')
  await waitUntilGone(pid)
  // Who leaves after the answer kills nobody.
  const later = new AbortController()
  await slot.run(task(small), GENEROUS_LIMITS, later.signal)
  const { pid: another } = slot
  later.abort()
  await slot.run(task(small), GENEROUS_LIMITS)
  assert.is(slot.pid, another)
})

slots('an external kill is reported as a crash', async ({ slot }) => {
  await slot.run(task(small), GENEROUS_LIMITS)
  const work = rejectionOf(slot.run(task(large), GENEROUS_LIMITS))
  process.kill(slot.pid!, 'SIGKILL')
  assert.is(await work, 'crash')
  assert.ok('photo' in (await slot.run(task(small), GENEROUS_LIMITS)))
})

for (const [what, source, cause] of [
  ['is not there', null, /Cannot find module/],
  ['throws', `throw new TypeError('no library')`, /TypeError: no library/],
  ['ends', 'process.exit(7)', /\(7\)/],
  ['is killed', `process.kill(process.pid, 'SIGKILL')`, /\(SIGKILL\)/],
] as const)
  slots(`a process whose program ${what} before it is ready blames no picture`, async ({ dir }) => {
    const broken = join(dir, 'child.mjs')
    if (source !== null) writeFileSync(broken, source)
    const slot = new DecoderProcess(broken)
    using logged = captureConsole()
    try {
      for (let again = 0; again < 2; again++) {
        const stopped = await slot.run(task(small), GENEROUS_LIMITS).catch((stopped: unknown) => stopped)
        assert.instance(stopped, DecodeStopped)
        assert.is((stopped as DecodeStopped).why, 'unavailable')
        assert.match((stopped as DecodeStopped).message, cause)
      }
      openPictureDecoder(broken)
      const answer = await preparePhoto(small).catch((refused: unknown) => refused as AppError)
      assert.equal(
        [(answer as AppError).status, (answer as AppError).message],
        [503, 'Ahora mismo no podemos preparar fotos. Inténtalo dentro de un rato.'],
      )
      assert.is(logged.length, 1, 'one line')
      assert.match(logged[0]!, /^perrario · las fotos no se pueden preparar: su proceso no arranca \(/)
    } finally {
      slot.close()
      getPictureDecoder().close()
    }
  })

slots('a closed slot ends its work and starts no other process', async ({ slot }) => {
  await slot.run(task(small), GENEROUS_LIMITS)
  const pid = slot.pid!
  const work = rejectionOf(slot.run(task(large), GENEROUS_LIMITS))
  slot.close()
  assert.is(await work, 'gone')
  await waitUntilGone(pid)
  assert.equal([await rejectionOf(slot.run(task(small), GENEROUS_LIMITS)), slot.pid], ['gone', undefined])
})

slots('the process does not keep its parent running, and ends with it', async () => {
  const program = `
    import { readFileSync } from 'node:fs'
    import { DecoderProcess } from '#features/photos/decode/decoder-process.server.ts'
    const slot = new DecoderProcess(${JSON.stringify(entry)})
    const bytes = Buffer.from(${JSON.stringify(small.toString('base64'))}, 'base64')
    const limits = { resident: 1e9, cpu: 60_000, wall: 60_000 }
    await slot.run({ bytes, prepare: { side: 800 } }, limits)
    console.log(slot.pid)
  `
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 50_000 })
  const pid = Number(stdout)
  assert.ok(pid > 0, stdout)
  await waitUntilGone(pid)
})
