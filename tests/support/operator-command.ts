import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { serverEnv } from './server.ts'

const root = resolve(import.meta.dirname, '../..')

/** Runs one of the operator's programs (`backup` is scripts/backup.ts) to its end; `nodeArgs` are for Node itself. */
export function runCommand(
  name: string,
  words: readonly string[],
  env: Record<string, string>,
  nodeArgs: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  const args = ['--disable-warning=ExperimentalWarning', ...nodeArgs, `scripts/${name}.ts`, ...words]
  const child = spawn(process.execPath, args, { cwd: root, env: serverEnv({ BACKUPS: '7,4,6', ...env }) })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((done, fail) => child.on('error', fail).on('close', (code) => done({ code, output })))
}
