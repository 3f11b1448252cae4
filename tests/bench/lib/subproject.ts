/** Projects of their own below bench/: installed and built by the bench when they changed, by nobody else. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const MANIFEST = ['package.json', 'package-lock.json']

function* listFilesBelow(path: string): Generator<string> {
  if (!statSync(path).isDirectory()) return yield path
  for (const name of readdirSync(path).sort()) yield* listFilesBelow(join(path, name))
}

function fingerprintOf(root: string, paths: string[]): string {
  const sum = createHash('sha256')
  for (const path of paths)
    for (const file of listFilesBelow(join(root, path))) sum.update(file.slice(root.length)).update(readFileSync(file))
  return sum.digest('hex')
}

/** Runs to the end in the project's folder. @throws with what it printed when it fails */
function runToEnd(root: string, command: string, args: string[]): void {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`)
}

/**
 * `npm ci` where the lockfile changed, and the build, if there is one, where its sources did.
 * @param build what node runs in the folder, from which files and folders, into which
 * @returns the project's folder
 */
export function prepareSubproject(name: string, build?: { args: string[]; from: string[]; to: string }): string {
  const root = resolve(import.meta.dirname, '..', name)
  const step = (stamp: string, sources: string[], told: string, work: () => void) => {
    const wanted = fingerprintOf(root, sources)
    const path = join(root, stamp)
    if (existsSync(path) && readFileSync(path, 'utf8') === wanted) return
    console.log(`${told} en bench/${name}…`)
    work()
    writeFileSync(path, wanted)
  }
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  step('node_modules/.perrario-installed', MANIFEST, 'npm ci', () => runToEnd(root, npm, flags))
  if (build) {
    const { args, from, to } = build
    step(`${to}/.perrario-built`, [...MANIFEST, ...from], 'construyendo', () => runToEnd(root, process.execPath, args))
  }
  return root
}
