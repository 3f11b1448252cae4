// npm run lock: writes package-lock.json anew from package.json, without registry addresses (versions and hashes
// stay, and npm ci asks whatever registry it is set to). Made in an empty folder: with node_modules at hand npm
// leaves out the optional packages of other platforms, as does its own omit-lockfile-registry-resolved.
// npm run lock -- tests/bench/peer     the same for a project of its own below this one
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './lib/setup.mjs'

const place = process.argv[2] ?? '.'
const folder = mkdtempSync(join(tmpdir(), 'perrario-lock-'))
copyFileSync(join(place, 'package.json'), join(folder, 'package.json'))
copyFileSync('.npmrc', join(folder, '.npmrc'))
const flags = ['--package-lock-only', '--omit-lockfile-registry-resolved=false', '--loglevel=error']
run('npm', ['install', ...flags], { cwd: folder })
const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
for (const entry of Object.values(lock.packages)) delete entry.resolved
writeFileSync(join(place, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
rmSync(folder, { recursive: true })
