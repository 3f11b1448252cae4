import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { photoName } from '#features/photos/photos.ts'
import { hostilePictures } from '#tests/support/photos/hostile-pictures.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { isRunning, listProcessTree, residentTreeBytes } from '#tests/support/process-tree.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { assert, call, formOf, signInMember, suite, type TestMember } from '#tests/support/suites.ts'

// Whatever is being decoded when the server ends: no process goes on without it, and no file is left that nobody knows.

interface Context {
  server: TestServer
  ana: TestMember
  eva: TestMember
}
const shutdown = suite<Context>('api/photos/decoder-shutdown')
shutdown.before.each(async (t) => {
  t.server = await startServer()
  t.ana = await signInMember(t.server)
  t.eva = await signInMember(t.server, 'eva@ejemplo.es')
})
shutdown.after.each(({ server }) => server.dispose())

// Some seconds of a decoder, and taken.
const HEAVY = 'progressive JPEG 4100 x 4100, 4:4:4'
const heavy = (await hostilePictures([HEAVY]))[HEAVY]!

/** The status of an added dog; 0 where the server ended first. */
const send = (server: TestServer, { cookie }: TestMember, bytes: Uint8Array): Promise<number> =>
  call(server, '/api/dogs', {
    method: 'POST',
    cookie,
    form: formOf({
      name: 'Toby',
      breed: 'Beagle',
      relationship: 'owner',
      images: new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }),
    }),
  }).then(
    ({ status }) => status,
    () => 0,
  )

/** Memory that says that a heavy picture is being decoded: it takes more than twice that. */
const DECODING_BYTES = 40 * 2 ** 20

/** Waits until a heavy picture is being decoded. @param before bytes of all processes @returns all processes of the server */
async function waitForDecoders(server: TestServer, before: number): Promise<number[]> {
  for (let tries = 0; tries < 1000; tries++) {
    if (residentTreeBytes(server.pid()) > before + DECODING_BYTES) return listProcessTree(server.pid())
    await sleep(5)
  }
  throw new Error('no picture is being decoded')
}

async function waitUntilGone(pids: number[]): Promise<void> {
  for (const end = Date.now() + 20_000; pids.some(isRunning); await sleep(20))
    if (Date.now() > end) throw new Error(`still there: ${pids.filter(isRunning).join()}`)
}

/** The files of photos, and the photos that rows name. */
async function filesAndRows(server: TestServer): Promise<[string[], string[]]> {
  const folder = join(server.dataDir, 'photos')
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const rows = await server.db.selectFrom('dog_images').select('url').execute()
  return [files.map(({ name }) => name).toSorted(), rows.map(({ url }) => photoName(url)!).toSorted()]
}

shutdown('a stopping server answers what it can and leaves no process or file', async ({ server, ana, eva }) => {
  assert.is(await send(server, ana, await photo()), 201)
  // The decoder of that one is among them.
  const before = residentTreeBytes(server.pid())
  // More than it decodes before it is done waiting for them.
  const sent = [ana, eva].flatMap((who) => Array.from({ length: 12 }, () => send(server, who, heavy)))
  const seen = new Set(await waitForDecoders(server, before))
  const watch = setInterval(() => listProcessTree(server.pid()).forEach((pid) => seen.add(pid)), 20)
  assert.is(await server.stop(), 0, server.output())
  clearInterval(watch)
  const statuses = await Promise.all(sent)
  assert.ok(
    statuses.every((status) => [201, 0, 408, 503].includes(status)),
    String(statuses),
  )
  await waitUntilGone([...seen])
  const [files, rows] = await filesAndRows(server)
  assert.equal(files, rows)
  // A dog whose 201 was sent exists.
  assert.ok(rows.length >= 1 + statuses.filter((status) => status === 201).length, `${rows.length}: ${statuses}`)
})

shutdown('a killed server ends its decoders and leaves no file of their work', async ({ server, ana }) => {
  assert.is(await send(server, ana, await photo()), 201)
  const before = residentTreeBytes(server.pid())
  const sent = [send(server, ana, heavy), send(server, ana, heavy)]
  const pids = await waitForDecoders(server, before)
  await server.kill()
  assert.equal(await Promise.all(sent), [0, 0])
  await waitUntilGone(pids)
  const [files, rows] = await filesAndRows(server)
  assert.equal(files, rows)
  await server.restart()
  assert.is(await send(server, ana, await photo(7)), 201)
})
