import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, serverEnv } from '#tests/support/server.ts'
import { root } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

const development = suite<{ server: ChildProcess; dataDir: string; url: string; output: () => string }>(
  'api/server/development',
)

development.before(async (t) => {
  const port = await freePort()
  t.dataDir = mkdtempSync(join(tmpdir(), 'perrario-dev-'))
  t.url = `http://localhost:${port}`
  t.server = spawn(process.execPath, ['node_modules/astro/bin/astro.mjs', 'dev', '--port', String(port)], {
    cwd: root,
    env: serverEnv({ DATA_DIR: t.dataDir, ASTRO_TELEMETRY_DISABLED: '1' }),
  })
  let output = ''
  t.output = () => output
  const isReady = new Promise<void>((resolve, reject) => {
    for (const stream of [t.server.stdout!, t.server.stderr!])
      stream.on('data', (chunk) => {
        output += chunk
        if (output.includes('ready in')) resolve()
      })
    t.server.once('exit', () => reject(new Error(`The development server did not start:\n${output}`)))
  })
  await isReady
})

development.after(async ({ server, dataDir }) => {
  if (server.exitCode === null) {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  rmSync(dataDir, { recursive: true, force: true })
})

development('runs services, middleware and endpoints from the sources', async ({ url, output }) => {
  assert.is((await fetch(`${url}/api/session`)).status, 200, output())
  const dogs = await fetch(`${url}/api/dogs?limit=1`)
  assert.equal([dogs.status, (await dogs.json()).dogs], [200, []], output())
})

development('renders a page with its islands', async ({ url, output }) => {
  const page = await fetch(`${url}/`)
  assert.is(page.status, 200, output())
  assert.match(await page.text(), /<astro-island /)
})
