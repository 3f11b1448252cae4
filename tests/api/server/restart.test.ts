import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findSystemdSocket } from '#server/connections/http-server.ts'
import { freePort, serverEnv } from '#tests/support/server.ts'
import { root } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

/** Holds a socket as systemd does, without ever accepting on it, and runs one server after another over it. */
const SOCKET_HOLDER_SOURCE = `
  import { spawnSync } from 'node:child_process'
  import { createServer } from 'node:net'
  import { once } from 'node:events'
  const server = createServer().listen(Number(process.env.PORT), '127.0.0.1')
  await once(server, 'listening')
  for (let n = 0; n < 3; n++)
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/serve.mjs'], {
      stdio: ['ignore', 'inherit', 'inherit', server._handle.fd],
    })
  process.exit()
`

/** The status of a page asked for on a connection of its own. */
const ask = (url: string): Promise<number> =>
  new Promise((done, fail) => {
    get(url, { agent: false }, (res) => {
      res.resume().on('end', () => done(res.statusCode!))
    }).on('error', fail)
  })

const restart = suite('api/server/restart')

restart('with an inherited socket no visitor is refused while the server restarts', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'perrario-restart-'))
  const port = await freePort()
  const holder = spawn(process.execPath, ['--input-type=module', '-e', SOCKET_HOLDER_SOURCE], {
    cwd: root,
    env: serverEnv({ PORT: String(port), DATA_DIR: dir, LISTEN_FDS: '1' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [holder.stdout, holder.stderr]) stream.on('data', (chunk) => (output += chunk))
  const started = async (times: number) => {
    while (output.split('listo en').length - 1 < times) {
      assert.is(holder.exitCode, null, output)
      await new Promise((done) => setTimeout(done, 50))
    }
  }
  const running = () => {
    return Number(readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim().split(' ')[0])
  }
  try {
    await started(1)
    const first = running()
    const answers: Promise<number>[] = []
    const asking = new AbortController()
    const visitors = (async () => {
      while (!asking.signal.aborted) {
        answers.push(ask(`http://127.0.0.1:${port}/perros`))
        await new Promise((done) => setTimeout(done, 20))
      }
    })()
    process.kill(first, 'SIGTERM')
    await started(2)
    asking.abort()
    await visitors
    const statuses = await Promise.all(answers)
    assert.ok(statuses.length > 3)
    assert.equal([...new Set(statuses)], [200])
    assert.is.not(running(), first)
    assert.not.ok(existsSync(`/proc/${first}`))
  } finally {
    const last = readChild(holder.pid!)
    const ended = once(holder, 'exit')
    holder.kill('SIGKILL')
    if (last) process.kill(last, 'SIGKILL')
    await ended
    rmSync(dir, { recursive: true, force: true })
  }
})

function readChild(pid: number): number | undefined {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? Number(readFileSync(file, 'utf8').trim().split(' ')[0]) || undefined : undefined
}

restart('a socket is taken only if it is passed to this process', () => {
  assert.equal([findSystemdSocket({}), findSystemdSocket({ LISTEN_FDS: '2' })], [null, null])
  assert.is(findSystemdSocket({ LISTEN_FDS: '1', LISTEN_PID: '1' }, 2), null)
  assert.equal(findSystemdSocket({ LISTEN_FDS: '1', LISTEN_PID: '2' }, 2), { fd: 3 })
})
