import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PAGES } from '#tests/support/matrix/page-reads.ts'
import { READS } from '#tests/support/matrix/reads.ts'
import type { Role } from '#tests/support/matrix/roles.ts'
import { createMatrixWorld, type MatrixWorld } from '#tests/support/matrix/world.ts'
import { residentTreeBytes } from '#tests/support/process-tree.ts'
import { requestRaw } from '#tests/support/raw-request.ts'
import { assert, call, dog, seed, serverSuite, type ServerWorld, type TestServer } from '#tests/support/suites.ts'

// Answers that nobody reads: whatever is asked for, they hold no more memory than they may, and others are served.

const ADMIN = 'admin@ejemplo.es'
const BOUND_BYTES = 1_000_000
/** Smaller answers fit what the kernel takes for a connection, many times over. */
const LARGE_BYTES = 100_000
/** What the kernel takes for a reader on loopback who takes nothing: buffers of both ends, at most. */
const KERNEL_BYTES = 4_500_000
/** What the processes may hold above rest, as in hostile-streams, bytes. */
const MAX_ADDED_BYTES = 200 * 1024 * 1024
const MAX_WAIT_MS = 60_000

interface World extends ServerWorld {
  matrix: MatrixWorld
  sockets: Socket[]
}
const unread = serverSuite<World>('api/robustness/unread-answers', {
  ADMIN_EMAIL: ADMIN,
  SITE_URL: 'http://perrario.example',
  TRUST_PROXY: '1',
  RENDERS_PER_MINUTE: '0',
  UNREAD_MB_PER_IP: String(BOUND_BYTES / 1_000_000),
})

unread.before(async (t) => {
  t.sockets = []
  await seed(
    t.server.db,
    ...Array.from({ length: 1000 }, (_, n) => dog({ name: `Toby ${n}`, zone: 'Chamberí, Madrid' })),
  )
  t.matrix = await createMatrixWorld(t.server.db, t.server.dataDir, ADMIN)
  await t.matrix.cookieOf('owner')
})
unread.after.each(({ sockets }) => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

const countSockets = (server: TestServer) => readdirSync(`/proc/${server.pid()}/fd`).length

async function until(what: string, isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + MAX_WAIT_MS; !isTrue(); await sleep(20)) assert.ok(Date.now() < end, what)
}

/** Asks for `path` again and again on one connection, and reads nothing. Each is another network of one site. */
async function openStuckReader(t: World, n: number, path: string, cookie: string, requests: number): Promise<void> {
  const socket = connect(Number(new URL(t.server.url).port), '127.0.0.1').pause()
  socket.on('error', () => {})
  t.sockets.push(socket)
  await once(socket, 'connect')
  const network = `X-Forwarded-For: 2001:db8:1:${n.toString(16)}::1\r\n`
  const request = `GET ${path} HTTP/1.1\r\nHost: perrario.example\r\n${network}${cookie && `Cookie: ${cookie}\r\n`}\r\n`
  socket.write(request.repeat(requests))
}

/** The addresses with large answers, and how large. */
async function findLargeAnswers({ server, matrix }: World, role: Role): Promise<[path: string, bytes: number][]> {
  const cookie = await matrix.cookieOf(role)
  const large: [string, number][] = []
  const paths = new Set(Object.values({ ...READS, ...PAGES }).map(({ path }) => path(matrix)))
  for (const path of [...paths].filter((path) => path !== '/api/events' && path !== '/api/account/export')) {
    const { body } = await requestRaw(server, path, cookie ? { Cookie: cookie } : {})
    if (body.length >= LARGE_BYTES) large.push([path, body.length])
  }
  return large
}

for (const role of ['visitor', 'owner'] as const)
  unread(`large unread responses to a ${role} stay within their memory limit, and others are served`, async (t) => {
    const { server, matrix } = t
    const large = await findLargeAnswers(t, role)
    assert.ok(large.length >= 3, `${large}`)
    const cookie = await matrix.cookieOf(role)
    const rest = residentTreeBytes(server.pid())
    for (const [path, bytes] of large) {
      const before = countSockets(server)
      const fitting = Math.floor(BOUND_BYTES / bytes)
      const count = 2 * fitting + 10
      for (let n = 0; n < count; n++) await openStuckReader(t, n, path, cookie, Math.ceil(KERNEL_BYTES / bytes) + 1)
      await until(
        `${path}: ${count - fitting} of ${count} readers are cut`,
        () => countSockets(server) - before <= fitting + 3,
      )
      assert.is((await call(server, '/healthz')).status, 200, path)
      assert.is((await call(server, '/perros')).status, 200, path)
      const added = residentTreeBytes(server.pid()) - rest
      assert.ok(added < MAX_ADDED_BYTES, `${path}: ${Math.round(added / 2 ** 20)} MB above rest`)
      for (const socket of t.sockets.splice(0)) socket.destroy()
      await until(`${path}: hang-ups are noticed`, () => countSockets(server) <= before + 3)
    }
  })
