/** The limit: a bare `node:http` server that sends ready bytes, in a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { freePort } from '#tests/support/server.ts'

/** Of each path the same headers and bytes that another server answered with. */
const SERVER_SOURCE = `
const { createServer } = require('node:http')
const answers = new Map()
process.on('message', (list) => {
  for (const [path, { status, headers, body }] of list) answers.set(path, { status, headers, body: Buffer.from(body, 'base64') })
  process.send('heard')
})
createServer((req, res) => {
  const { status, headers, body } = answers.get(req.url)
  res.writeHead(status, headers)
  res.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'))
`

/** What `url` answers for each path with these request headers, sent again by a server that does nothing else. */
export async function startBareServer(url: string, paths: string[], headers: Record<string, string>) {
  const port = await freePort()
  const child = spawn(process.execPath, ['-e', SERVER_SOURCE], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  await once(child.stdout!, 'data')
  const answers = await Promise.all(paths.map(async (path) => [path, await fetchAnswer(url + path, headers)]))
  child.send(answers)
  await once(child, 'message')
  return { url: `http://127.0.0.1:${port}`, pid: child.pid!, stop: () => void child.kill() }
}

/** Headers that each server writes itself. */
const SERVER_WRITTEN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

async function fetchAnswer(url: string, headers: Record<string, string>) {
  return new Promise((done, fail) => {
    request(url, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(chunks)
        const kept = Object.entries(response.headers).filter(([name]) => !SERVER_WRITTEN_HEADERS.has(name))
        done({
          status: response.statusCode,
          headers: { ...Object.fromEntries(kept), 'content-length': String(body.length) },
          body: body.toString('base64'),
        })
      })
    })
      .on('error', fail)
      .end()
  })
}
