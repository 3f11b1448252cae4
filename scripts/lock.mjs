// npm run lock: writes package-lock.json from package.json, without registry addresses (versions and hashes stay, and
// npm ci uses the registry that it is configured with). It resolves in an empty folder: beside node_modules npm leaves
// out the optional packages of other platforms, and so does npm's own omit-lockfile-registry-resolved.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './lib/setup.mjs'

const folder = mkdtempSync(join(tmpdir(), 'perrario-lock-'))
copyFileSync('package.json', join(folder, 'package.json'))
copyFileSync('.npmrc', join(folder, '.npmrc'))
const flags = ['--package-lock-only', '--omit-lockfile-registry-resolved=false', '--loglevel=error']
run('npm', ['install', ...flags], { cwd: folder })
const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
for (const entry of Object.values(lock.packages)) delete entry.resolved
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
rmSync(folder, { recursive: true })
