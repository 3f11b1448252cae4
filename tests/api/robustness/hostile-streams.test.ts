import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { publish } from '#features/live/live.server.ts'
import { residentTreeBytes } from '#tests/support/process-tree.ts'
import { readAnswers } from '#tests/support/raw-answers.ts'
import { assert, call, dog, member, seed, startServer, suite, type TestServer } from '#tests/support/suites.ts'

// What connections may cost the server that ask for much and read nothing: its memory, and the answer of everybody else.

/** Maximum memory of the processes above the resting level, bytes. */
const MAX_ADDED_BYTES = 200 * 1024 * 1024

const hostile = suite<{ server: TestServer; sockets: Socket[] }>('api/robustness/hostile-streams')
hostile.before.each(async (t) => {
  t.server = await startServer()
  t.sockets = []
})
hostile.after.each(async ({ server, sockets }) => {
  for (const socket of sockets) socket.destroy()
  await server.dispose()
})

async function open(t: { server: TestServer; sockets: Socket[] }, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(t.server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  t.sockets.push(socket)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** Does `work` and answers how much memory it took above rest at most, bytes. Meanwhile the server answers. */
async function peakOf(server: TestServer, work: () => Promise<unknown>): Promise<number> {
  assert.is((await call(server, '/healthz')).status, 200)
  const rest = residentTreeBytes(server.pid())
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, residentTreeBytes(server.pid()) - rest)), 25)
  try {
    await work()
    for (let n = 0; n < 20; n++) {
      assert.is((await call(server, '/healthz')).status, 200)
      await new Promise((done) => setTimeout(done, 100))
    }
  } finally {
    clearInterval(watch)
  }
  return peak
}

const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB above rest`

hostile(
  'two hundred readers that request a history of large comments and read nothing stay within bounded memory',
  async (t) => {
    const { server } = t
    const [ana] = await seed(server.db, member())
    const [toby] = await seed(server.db, dog({ owner_id: ana.id }))
    const content = 'á'.repeat(8000)
    await server.db.transaction().execute(async (trx) => {
      for (let n = 0; n < 600; n++) {
        const id = crypto.randomUUID()
        const comment = { id, user_id: ana.id, dog_id: toby.id, content, created_at: n }
        await trx.insertInto('comments_all').values(comment).execute()
        await publish(trx, { type: 'comment', thingId: id, dogId: toby.id, actorId: ana.id, action: 'added' })
      }
    })
    const { id } = await server.db.selectFrom('events').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
    const first = id
    await server.restart()
    const peak = await peakOf(server, async () => {
      for (let n = 0; n < 200; n++) {
        const socket = await open(t, `GET /api/events?after=${first} HTTP/1.1\r\nHost: x\r\n\r\n`)
        socket.pause()
      }
    })
    assert.ok(peak < MAX_ADDED_BYTES, megabytes(peak))
  },
)

const HEAD = 'HTTP/1.1\r\nHost: x\r\n'
const PIPELINED_REQUESTS: Record<string, string> = {
  'small requests': `GET /api/session ${HEAD}\r\n`,
  'kept pages': `GET / ${HEAD}\r\n`,
  'requests that ask whether to go on': `POST /api/dogs ${HEAD}Content-Length: 0\r\nExpect: 100-continue\r\n\r\n`,
  'requests that expect what nobody knows': `GET /healthz ${HEAD}Expect: tea\r\n\r\n`,
  'requests to speak otherwise': `GET /healthz ${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  streams: `GET /api/events ${HEAD}\r\n`,
}
for (const [name, request] of Object.entries(PIPELINED_REQUESTS))
  hostile(`a hundred thousand ${name} behind an endless stream stay within bounded memory`, async (t) => {
    const { server } = t
    const peak = await peakOf(server, async () => {
      const socket = await open(t, `GET /api/events ${HEAD}\r\n`)
      await new Promise((done) => socket.once('data', done))
      const end = new Promise<void>((done) => socket.on('close', () => done()))
      const chunk = Buffer.from(request.repeat(1000))
      for (let n = 0; n < 100 && !socket.destroyed; n++) {
        if (socket.write(chunk)) continue
        // Whoever is not read any more sends no more.
        const isOver = await Promise.race([
          new Promise<boolean>((done) => socket.once('drain', () => done(false))),
          end.then(() => true),
          new Promise<boolean>((done) => setTimeout(done, 3000, true)),
        ])
        if (isOver) break
      }
    })
    assert.ok(peak < MAX_ADDED_BYTES, megabytes(peak))
  })

hostile('pipelined requests are answered in order; too many close their connection and no other', async (t) => {
  const answersTo = async (count: number) => {
    const one = `GET /healthz ${HEAD}\r\n`
    const socket = await open(t, one.repeat(count - 1) + one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    const heard: Buffer[] = []
    socket.on('data', (chunk: Buffer) => heard.push(chunk))
    await once(socket, 'close')
    return readAnswers(Buffer.concat(heard)).filter(({ status }) => status === 200).length
  }
  assert.is(await answersTo(40), 40)
  assert.ok((await answersTo(400)) < 400)
  assert.is(await answersTo(40), 40)
})

const CHUNKED_REQUESTS = [
  'GET /api/dogs?limit=1',
  'GET /api/events',
  'GET /',
  'POST /api/dogs',
  'POST /api/auth/magic-link',
  'POST /compartir',
  'DELETE /api/dogs/x/like',
  'POST /nada',
  'OPTIONS /',
]

hostile('a body of one-byte chunks closes its connection, whatever it is sent to', async (t) => {
  for (const line of CHUNKED_REQUESTS) {
    const origin = `Origin: ${t.server.url}\r\nContent-Type: application/json\r\n`
    const socket = await open(t, `${line} ${HEAD}${origin}Transfer-Encoding: chunked\r\n\r\n`)
    const closed = new Promise<boolean>((done) => socket.once('close', () => done(true)))
    socket.resume().write('1\r\na\r\n'.repeat(50_000))
    assert.ok(await Promise.race([closed, new Promise((done) => setTimeout(done, 5000, false))]), line)
  }
})

hostile('a large body ends no server, whatever it is sent to', async (t) => {
  const pid = t.server.pid()
  const piece = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000), Buffer.from('\r\n')])
  for (const line of CHUNKED_REQUESTS) {
    const origin = `Origin: ${t.server.url}\r\nContent-Type: multipart/form-data; boundary=x\r\n`
    const socket = await open(t, `${line} ${HEAD}${origin}Transfer-Encoding: chunked\r\n\r\n`)
    socket.resume()
    const closed = new Promise((done) => socket.once('close', done))
    // Above the largest limit of a body; what is left unread when the answer comes.
    for (let n = 0; n < 800 && !socket.destroyed; n++)
      if (!socket.write(piece)) {
        const drained = new Promise((done) => socket.once('drain', () => done(true)))
        // A stream's body is not read on.
        if (!(await Promise.race([drained, closed, new Promise((done) => setTimeout(done, 1000, false))]))) break
      }
    assert.equal([(await call(t.server, '/healthz')).status, t.server.pid()], [200, pid], line)
    socket.destroy()
  }
})
