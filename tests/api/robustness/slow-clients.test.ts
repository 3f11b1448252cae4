import { once } from 'node:events'
import { openConnection as open, openSlowConnections, SLOW_BODY, SLOW_HEADERS } from '#tests/soak/slow/scenario.ts'
import { assert, call, signIn, startServer, suite } from '#tests/support/suites.ts'

const slow = suite('api/robustness/slow-clients')

// `npm run soak` opens five hundred of each (tests/soak/soak.ts).
slow('a hundred slow headers and a hundred slow bodies delay nobody and are disconnected', async () => {
  assert.equal((await openSlowConnections(100)).failures, [])
})

slow('slow bodies and slow headers are a 408', async () => {
  const server = await startServer({ HEADERS_SECONDS: '1', REQUEST_SECONDS: '2' })
  try {
    const [headers, body] = [await open(server, SLOW_HEADERS), await open(server, SLOW_BODY)]
    await Promise.all([headers.end, body.end])
    for (const { answer } of [headers, body]) assert.match(answer(), /^HTTP\/1\.1 408 Request Timeout\r\n/)
  } finally {
    await server.dispose()
  }
})

slow('a too large body is refused by its Content-Length, before it is read', async () => {
  const server = await startServer()
  try {
    const claim = (path: string, type: string, length: number) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
    const form = 'multipart/form-data; boundary=x'
    const MB = 1024 * 1024
    for (const [path, type, length] of [
      ['/api/nada', 'application/json', 60 * MB],
      ['/perros', form, 60 * MB],
      ['/api/dogs', form, 45 * MB],
      ['/api/breed-detection', form, 60 * MB],
      ['/api/auth/magic-link', 'application/json', 65 * 1024],
      ['/api/auth/magic-link', 'application/x-www-form-urlencoded', 17 * 1024],
      ['/api/auth/code', 'application/x-www-form-urlencoded', 17 * 1024],
    ] as const) {
      const { answer, socket } = await open(server, claim(path, type, length))
      while (!answer().includes('demasiado grande')) await once(socket, 'data')
      socket.destroy()
      assert.match(answer(), /^HTTP\/1\.1 413 Payload Too Large\r\n/, path)
      assert.match(answer(), '"detail":"La petición es demasiado grande."', path)
      assert.match(answer(), /\r\nX-Request-Id: /i, path)
    }
  } finally {
    await server.dispose()
  }
})

slow('one address has a limited share of connections; behind a proxy none', async () => {
  const alone = await startServer({ CONNECTIONS_PER_IP: '5' })
  const proxied = await startServer({ CONNECTIONS_PER_IP: '5', TRUST_PROXY: '1' })
  try {
    const idle = []
    for (let n = 0; n < 5; n++) idle.push(await open(alone, ''))
    const sixth = await open(alone, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await sixth.end
    assert.is(sixth.answer(), '')
    idle[0]!.socket.destroy()
    await idle[0]!.end
    // The server hears of the end a moment later.
    for (let tries = 0; ; tries++) {
      const again = await open(alone, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      await again.end
      if (again.answer().startsWith('HTTP/1.1 200')) break
      assert.ok(tries < 100, 'room is given back')
    }
    const many = await Promise.all(
      Array.from({ length: 20 }, () => open(proxied, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')),
    )
    await Promise.all(many.map(({ end }) => end))
    for (const { answer } of many) assert.match(answer(), /^HTTP\/1\.1 200 /)
    for (const { socket } of idle) socket.destroy()
  } finally {
    await alone.dispose()
    await proxied.dispose()
  }
})

slow('a form of too many fields is refused before it is complete, on every route with a form', async () => {
  const server = await startServer({ GEMINI_API_KEY: 'x', GEMINI_URL: 'http://127.0.0.1:9' })
  try {
    const { cookie } = await signIn(server, 'ana@ejemplo.es')
    const many = (part: string, bytes: number) => part.repeat(bytes / part.length)
    const parts = `${many('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n', 4_100_000)}--x--\r\n`
    for (const [type, body, status] of [
      ['application/x-www-form-urlencoded', many('a&', 2_000_000), 413],
      ['multipart/form-data; boundary=x', parts, 422],
    ] as const)
      for (const path of ['/api/dogs', '/api/breed-detection']) {
        const before = performance.now()
        const answer = await call(server, path, { method: 'POST', cookie, body, headers: { 'Content-Type': type } })
        assert.is(answer.status, status, `${path} ${type}`)
        // Half a minute for the fields, were they read.
        assert.ok(performance.now() - before < 5000, `${path} ${type}`)
      }
  } finally {
    await server.dispose()
  }
})
