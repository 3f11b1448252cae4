import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { ReadableStream } from 'node:stream/web'
import { writeResponse } from 'astro/app/node'
import { openPipeline } from '#app/pipeline.ts'
import { openServer } from '#server/connections/http-server.ts'
import { encodeResponse } from '#server/encoding.ts'
import { readAnswers } from '#tests/support/raw-answers.ts'
import { assert, suite } from '#tests/support/suites.ts'

// An answer whose body fails while it is made: whatever the client decodes, it does not wait for the rest for ever.

interface World {
  server: Server
  /** What console.error was given. */
  errors: unknown[][]
  respond: () => Response
}
const failed = suite<World>('unit/app/failed-answers')
const { error: logError } = console

failed.before(async (t) => {
  const handle = openPipeline({
    env: { trustProxy: false, rendersPerMinute: 0, siteUrl: 'http://perrario.example' },
    cachedPages: undefined,
    files: undefined,
    metrics: undefined,
    live: { handle: (_req, _res, _ip, next) => next() },
    photos: (_req, _res, _network, next) => next(),
    // As src/app/astro.ts, with a response of the test's.
    astro: async (req, res) => void (await writeResponse(await encodeResponse(req, t.respond()), res)),
    requestLog: (_req, _res, id) => ({ kind: 'page', id }),
  })
  const limits = {
    headersSeconds: 60,
    requestSeconds: 60,
    connectionsPerSite: 0,
    trustProxy: false,
    unreadBytesPerSite: 0,
  }
  t.server = openServer(handle, limits).listen(0, '127.0.0.1')
  await once(t.server, 'listening')
})
failed.before.each((t) => {
  t.errors = []
  console.error = (...args: unknown[]) => void t.errors.push(args)
})
failed.after.each(() => {
  console.error = logError
})
failed.after(({ server }) => {
  server.closeAllConnections()
  server.close()
})

/** A body that fails after its first 64 kB, more than any encoder waits for. */
const breakOff = (type: string) => {
  const chunks = async function* () {
    yield Buffer.from('Qué guapo. '.repeat(6000))
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error('The body broke off.')
  }
  return new Response(ReadableStream.from(chunks()) as unknown as BodyInit, { headers: { 'Content-Type': type } })
}

/** All that one connection sends to a request for `/`, until the server ends it or a complete answer is there. */
async function ask({ server }: World, accepted: string | undefined) {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let heard = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk])
    if (readAnswers(heard).length > 0) socket.destroy()
  })
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${accepted ? `Accept-Encoding: ${accepted}\r\n` : ''}\r\n`)
  await once(socket, 'close')
  return { status: heard.toString('latin1', 9, 12), answers: readAnswers(heard) }
}

for (const accepted of [undefined, 'gzip', 'gzip, deflate, br, zstd']) {
  failed(`a page for «${accepted}» that fails is a complete 500, without a part of the page`, async (t) => {
    t.respond = () => breakOff('text/html; charset=utf-8')
    const { answers } = await ask(t, accepted)
    assert.equal(
      answers.map(({ status, headers, body }) => [status, headers['content-encoding'], body.length]),
      [[500, undefined, 0]],
    )
    assert.match(String(t.errors[0]), /perrario · no se pudo responder a \/.*The body broke off/)
    t.respond = () => new Response('whole', { headers: { 'Content-Type': 'text/html' } })
    assert.equal(
      (await ask(t, accepted)).answers.map(({ status, body }) => [status, String(body)]),
      [[200, 'whole']],
    )
  })

  failed(`a stream for «${accepted}» that fails closes the connection within the response`, async (t) => {
    t.respond = () => breakOff('application/zip')
    const { status, answers } = await ask(t, accepted)
    assert.is(status, '200')
    assert.equal(answers, [], 'no complete answer')
  })
}
