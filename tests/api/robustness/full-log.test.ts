import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '#tests/support/sources.ts'
import { freePort, serverEnv } from '#tests/support/server.ts'
import { assert, suite } from '#tests/support/suites.ts'

/** Takes nothing that is written to it (ENOSPC), as a file on a full disk. Linux only. */
const FULL = '/dev/full'

const logs = suite('api/robustness/full-log')

/** The server with `where` for stdout and stderr, once it answers. */
async function serveInto(where: number, env: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'perrario-log-'))
  const port = await freePort()
  const child = spawn(process.execPath, ['scripts/serve.mjs'], {
    cwd: root,
    stdio: ['ignore', where, where],
    env: serverEnv({ PORT: String(port), DATA_DIR: dataDir, LOG_REQUESTS: 'on', ...env }),
  })
  const url = `http://127.0.0.1:${port}`
  const status = (path: string) =>
    fetch(url + path, { signal: AbortSignal.timeout(5000) }).then(
      (answer) => answer.status,
      (error: Error) => error.name,
    )
  for (const end = Date.now() + 30_000; (await status('/healthz')) !== 200;) {
    if (child.exitCode !== null || Date.now() > end) break
    await new Promise((done) => setTimeout(done, 100))
  }
  return { child, status, dispose: () => (child.kill('SIGKILL'), rmSync(dataDir, { recursive: true, force: true })) }
}

for (const LOG of existsSync(FULL) ? ['json', 'pretty'] : [])
  logs(`the log drops its lines while the site answers and stops cleanly (${LOG})`, async () => {
    const full = openSync(FULL, 'w')
    const { child, status, dispose } = await serveInto(full, { LOG })
    try {
      for (let i = 0; i < 20; i++) assert.equal([await status('/api/nada'), await status('/comunidad')], [404, 200])
      assert.is(child.exitCode, null)
      child.kill('SIGTERM')
      const [code] = await Promise.race([
        once(child, 'exit'),
        new Promise<string[]>((done) => setTimeout(done, 20_000, ['goes on']).unref()),
      ])
      assert.is(code, 0)
    } finally {
      dispose()
      closeSync(full)
    }
  })
