import { requestRaw } from '#tests/support/raw-request.ts'
import { assert, startServer, suite } from '#tests/support/suites.ts'

const volume = suite('api/server/log-volume')

const WORD = 'secreto-de-ana'
/** Requests that no route takes, or no handler of it. */
const ODD: [method: string, path: string][] = [
  ['GET', `/${WORD}`],
  ['HEAD', `/a/b/${WORD}`],
  ['GET', `/${WORD}%ff`],
  ['GET', `/${WORD}%250a`],
  ['GET', `/%5B${WORD}%5D`],
  ['GET', `/perro/${WORD}`],
  ['GET', `/usuario/${WORD}`],
  ['GET', `/api/${WORD}`],
  ['GET', `/api/dogs/${WORD}/${WORD}`],
  ['GET', `/photos/${WORD}.jpg`],
  ['GET', `/_astro/${WORD}.js`],
  ['GET', `/${WORD.padEnd(4000, 'x')}`],
  ['GET', `//${WORD}`],
  ['PATCH', '/api/session'],
  ['DELETE', `/api/dogs/${WORD}/like/${WORD}`],
  ['PUT', `/api/dogs?${WORD}`],
  ['PUT', `/${WORD}`],
  ['OPTIONS', `/${WORD}`],
  ['DELETE', '/perros'],
  ['PROPFIND', `/${WORD}`],
]

volume('thousands of unmatched requests write a bounded log, without the typed path', async () => {
  for (const LOG of ['pretty', 'json']) {
    // A slow request is a line with its path, and this is a load.
    const server = await startServer({ LOG, LOG_SLOW: '600000' })
    try {
      const before = server.output().length
      for (let n = 0; n < 100; n++)
        await Promise.all(
          ODD.map(async ([method, path]) => {
            const { status } = await requestRaw(server, path, {}, method)
            assert.ok(status < 500, `${method} ${path}: ${status}`)
          }),
        )
      // All that was written has been read once the server has ended.
      await server.stop()
      const written = server.output().slice(before)
      assert.ok(written.length < 2000, `${LOG}: ${written.length} characters: ${written.slice(0, 2000)}`)
      assert.not.match(written, WORD)
    } finally {
      await server.dispose()
    }
  }
})
