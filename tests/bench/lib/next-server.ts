/** The Next.js page of bench/peer, over a data directory of ours. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { freePort } from '#tests/support/server.ts'
import { prepareSubproject } from './subproject.ts'

const NEXT = 'node_modules/next/dist/bin/next'

/** `next start` on a free port: one process, like ours. Installs and builds first what changed: a minute, once. */
export async function startNextServer(dataDir: string): Promise<RunningServer> {
  const from = ['next.config.mjs', 'app', 'components', 'lib']
  const cwd = prepareSubproject('peer', { args: [NEXT, 'build'], from, to: '.next' })
  const port = await freePort()
  const args = [NEXT, 'start', '--port', String(port), '--hostname', '127.0.0.1']
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', DATA_DIR: resolve(dataDir) }
  return waitUntilListening(spawn(process.execPath, args, { cwd, env }), port, 'Ready')
}

export interface RunningServer {
  url: string
  pid: number
  stop: () => Promise<void>
}

/** Waits until a child has said that it listens. @throws with what it printed when it ends instead */
export async function waitUntilListening(
  child: ReturnType<typeof spawn>,
  port: number,
  word: string,
): Promise<RunningServer> {
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk))
  while (!output.includes(word)) {
    if (child.exitCode !== null) throw new Error(output)
    await new Promise((done) => setTimeout(done, 20))
  }
  const stop = () =>
    new Promise<void>((done) => {
      if (child.exitCode !== null) return done()
      child.on('exit', () => done())
      child.kill('SIGTERM')
    })
  return { url: `http://127.0.0.1:${port}`, pid: child.pid!, stop }
}
