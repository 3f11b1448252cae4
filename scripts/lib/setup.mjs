// Finds the project's own Node for all commands; for start, test, dev, demo and bench it installs missing packages and builds changed sources.
// Plain JavaScript for old Nodes: it runs before node_modules exists.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
/** The Node 24 that the npm package `node` puts into the project. */
export const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

const [major] = process.versions.node.split('.').map(Number)
if (major < 20) {
  console.error(`perrario · hace falta Node 20 o posterior para arrancar (este es ${process.versions.node}).`)
  process.exit(1)
}
process.chdir(root)

export const say = (text) => console.log(`perrario · ${text}`)

/** The environment of child processes: the project's own Node and tools come first in the PATH. */
export const childEnv = () => ({
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH}`,
  ASTRO_TELEMETRY_DISABLED: '1',
})

/** Runs a command to its end in this terminal. Ends this process with the command's status when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: childEnv(), ...options })
  if (error) {
    console.error(`perrario · ${command}: ${error.message}`)
    process.exit(1)
  }
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * The server's flags and environment: a bounded heap (docs/adr/0019-a-small-heap.md), and for glibc two arenas and large blocks that
 * return to the system at once. Threads allocate pictures of megabytes: with glibc's defaults 490 MB stay resident after 40 photos,
 * with these settings 160, and it is no slower.
 */
export const runtime = JSON.parse(readFileSync(join(root, 'scripts/lib/runtime.json'), 'utf8'))

/** Runs a command in place of this process, as far as Node can: the child gets the terminal and every signal. */
export function replaceProcess(command, args, env = {}) {
  const environment = { ...childEnv(), ...env }
  // Nodes from 22.15 on can; a process that only waited for the server would take 45 MB.
  if (process.execve && process.platform !== 'win32') {
    // That it is experimental is of no use to the operator.
    process.removeAllListeners('warning')
    process.execve(command, [command, ...args], environment)
  }
  const child = spawn(command, args, { stdio: 'inherit', env: environment })
  // The terminal sends Ctrl-C to both; a supervisor sends SIGTERM only to us.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

const readPackages = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {})

/**
 * Whether node_modules holds the packages of the lockfile: npm lists there what an installation that has ended put there. Packages of
 * other platforms are missing, and those of development where none was installed. An image (deploy/Dockerfile) is complete and has no lockfile.
 */
function isInstalled() {
  if (!existsSync('package-lock.json')) return true
  const installed = readPackages('node_modules/.package-lock.json')
  const hasDev = Object.values(installed).some(({ dev }) => dev)
  const isNeeded = ([path, { dev, devOptional, optional }]) => path && !optional && !devOptional && (hasDev || !dev)
  const needed = Object.entries(readPackages('package-lock.json')).filter(isNeeded)
  return existsSync(node) && needed.every(([path, { version }]) => installed[path]?.version === version)
}

/** Installs when node_modules is missing, incomplete or not that of the lockfile. Only for what a developer or a first start runs. */
export function install() {
  if (isInstalled()) return
  say('instalando dependencias (npm ci)…')
  run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { shell: process.platform === 'win32' })
  if (existsSync(node)) return
  console.error('perrario · npm no instaló el Node del proyecto: revisa que se permitan sus scripts (allowScripts).')
  process.exit(1)
}

/** Ends this process where packages are missing. An operator's command installs nothing: the site may be running from this folder. */
export function requireInstalled() {
  if (isInstalled()) return
  console.error(
    `perrario · las dependencias de ${root} faltan o son de otra versión, y esta orden no las instala: npm ci`,
  )
  process.exit(1)
}

const COMPRESS = 'scripts/lib/compress.mjs'

/** The inputs of a build. */
const SOURCES = ['src', 'data', 'db', 'public', 'astro.config.mjs', 'package-lock.json', 'tsconfig.json', COMPRESS]

function* files(path) {
  if (!existsSync(path)) return
  if (!statSync(path).isDirectory()) return yield path
  for (const name of readdirSync(path).sort()) yield* files(join(path, name))
}

/** A hash of the sources' names and contents; not of their times, which a checkout changes. */
function fingerprint() {
  const sum = createHash('sha256')
  for (const source of SOURCES)
    for (const file of files(source)) sum.update(file).update('\0').update(readFileSync(file))
  return sum.digest('hex')
}

/** A build without one of these is incomplete, whatever its stamp says. */
const REQUIRED_OUTPUTS = [
  'dist/server/main.mjs',
  'dist/server/map-worker.mjs',
  'dist/server/decoder.mjs',
  'dist/csp.json',
  'dist/files.json',
]

/** Free space below which no build begins, bytes: what it writes, and a little. */
const BUILD_MIN_FREE_BYTES = 120_000_000

/** Ends this process before the last build is deleted: a running server reads its files, and another would end half way. */
function assertBuildSpace() {
  // Not imported by name: Nodes that have no such function still print which one is required.
  const { bavail, bsize } = fs.statfsSync('.')
  const freeBytes = bavail * bsize
  if (freeBytes >= BUILD_MIN_FREE_BYTES) return
  const toMb = (bytes) => `${Math.floor(bytes / 1_000_000)} MB`
  console.error(
    `perrario · no queda sitio en el disco para construir el sitio: hacen falta ${toMb(BUILD_MIN_FREE_BYTES)} y quedan ${toMb(freeBytes)} en ${root}.`,
  )
  process.exit(1)
}

/** Builds when the sources have changed since the last build, or when an output is missing. */
export function build() {
  const expected = fingerprint()
  const stamp = 'dist/.perrario-built'
  const isComplete = REQUIRED_OUTPUTS.every((file) => existsSync(file) && statSync(file).size > 0)
  if (isComplete && existsSync(stamp) && readFileSync(stamp, 'utf8') === expected) return
  assertBuildSpace()
  say('construyendo el sitio (astro build)…')
  rmSync('dist', { recursive: true, force: true })
  // Its progress is not for the operator; errors come on stderr. (--silent would silence the built server too.)
  run(node, ['node_modules/astro/bin/astro.mjs', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  run(node, [COMPRESS])
  mkdirSync('dist', { recursive: true })
  writeFileSync(stamp, expected)
}
