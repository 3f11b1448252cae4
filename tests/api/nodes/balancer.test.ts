import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#tests/support/server.ts'
import { readSource } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

// deploy/Caddyfile.nodes in a real Caddy whose nodes do not answer: over plain HTTP, and otherwise as operators get it. Machines without
// Caddy skip it.
const balancer = suite('api/nodes/balancer')

const SENTENCE = 'Ahora mismo no podemos responder. Inténtalo de nuevo en un momento.'
const START_MS = 10_000
const hasCaddy = spawnSync('caddy', ['version']).status === 0

async function startBalancer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const [port, first, second] = [await freePort(), await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'perrario-balancer-'))
  const file = join(folder, 'Caddyfile')
  const settings = readSource('deploy/Caddyfile.nodes')
    .replace('{\n', '{\n\tadmin off\n')
    .replace('perrario.example', `http://127.0.0.1:${port}`)
    .replace('perrario1:4321 perrario2:4321', `127.0.0.1:${first} 127.0.0.1:${second}`)
  writeFileSync(file, settings)
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' })
  const exited = once(caddy, 'exit')
  const url = `http://127.0.0.1:${port}`
  for (const end = Date.now() + START_MS; !(await fetch(`${url}/metrics`).catch(() => null)); await wait(50))
    assert.ok(Date.now() < end && caddy.exitCode === null, 'Caddy starts')
  return {
    url,
    async stop() {
      caddy.kill()
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

balancer('without a node, the balancer answers a sentence and says when to retry', async () => {
  if (!hasCaddy) return
  const { url, stop } = await startBalancer()
  try {
    const [page, read, write] = await Promise.all([
      fetch(url),
      fetch(`${url}/api/dogs`),
      fetch(`${url}/api/dogs`, { method: 'POST', body: 'x' }),
    ])
    for (const answer of [page, read, write]) {
      assert.equal([answer.status, answer.headers.get('retry-after')], [503, '5'])
      assert.is(answer.headers.get('cache-control'), 'no-store')
    }
    assert.is(page.headers.get('content-type'), 'text/html; charset=utf-8')
    const html = await page.text()
    assert.ok(html.includes('lang="es"') && html.includes(SENTENCE), html)
    for (const answer of [read, write]) {
      assert.is(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
      assert.is(((await answer.json()) as { detail: string }).detail, SENTENCE)
    }
    // Blocked paths stay what they are.
    assert.is((await fetch(`${url}/metrics`)).status, 404)
  } finally {
    await stop()
  }
})
