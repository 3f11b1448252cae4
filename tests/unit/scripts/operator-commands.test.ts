import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { root } from '#tests/support/sources.ts'
import { assert, folderSuite } from '#tests/support/suites.ts'

// What an operator's command does before its program starts, in a release of its own with a stub of npm.
const commands = folderSuite<{ bin: string; release: string }>('unit/scripts/operator-commands')

const write = (file: string, text: string, mode = 0o644) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
}
const listPackages = (versions: Record<string, object>) => JSON.stringify({ packages: { '': {}, ...versions } })
const PACKAGES = {
  'node_modules/kysely': { version: '1.0.0' },
  'node_modules/playwright': { version: '1.0.0', dev: true },
  'node_modules/of-another-platform': { version: '1.0.0', optional: true },
}

commands.before.each((t) => {
  t.bin = join(t.dir, 'bin')
  t.release = join(t.dir, 'releases/one')
  const scripts = ['scripts/backup.mjs', 'scripts/lib/launch.mjs', 'scripts/lib/setup.mjs', 'scripts/lib/runtime.json']
  for (const file of scripts) cpSync(join(root, file), join(t.release, file))
  write(join(t.release, 'package.json'), '{}')
  write(join(t.release, 'package-lock.json'), listPackages(PACKAGES))
  write(join(t.bin, 'npm'), '#!/bin/sh\necho "npm $*"; rm -rf node_modules\n', 0o755)
  write(join(t.bin, 'runuser'), '#!/bin/sh\necho "$*"; printf "%s\\n" "$MAIL_FROM" "$SITE_URL" "$SECRET"\n', 0o755)
})

/** Installs the packages as npm does, with a Node that says what it is to run. */
function installPackages(release: string, packages: Record<string, object>): void {
  write(join(release, 'node_modules/.package-lock.json'), listPackages(packages))
  write(join(release, 'node_modules/node/bin/node'), '#!/bin/sh\necho "runs $2"\n', 0o755)
}
function run({ bin, release }: { bin: string; release: string }, args: readonly string[]) {
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}` }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: release, encoding: 'utf8', env })
  return { status, stdout, stderr }
}
const INSTALL = ['--input-type=module', '-e', `import('./scripts/lib/setup.mjs').then((setup) => setup.install())`]

commands('a command runs in a release that update.sh has installed', (t) => {
  installPackages(t.release, { 'node_modules/kysely': PACKAGES['node_modules/kysely'] })
  assert.equal(run(t, ['scripts/backup.mjs']), { status: 0, stdout: 'runs scripts/backup.ts\n', stderr: '' })
  assert.is(run(t, INSTALL).stdout, '')
})

commands('a command installs nothing and says what is missing', (t) => {
  const installed: (Record<string, object> | null)[] = [
    null,
    {},
    { 'node_modules/kysely': { version: '0.9.0' } },
    { ...PACKAGES, 'node_modules/playwright': { version: '0.9.0', dev: true } },
  ]
  for (const packages of installed) {
    rmSync(join(t.release, 'node_modules'), { recursive: true, force: true })
    if (packages) installPackages(t.release, packages)
    const { status, stdout, stderr } = run(t, ['scripts/backup.mjs'])
    assert.equal([status, stdout], [1, ''])
    assert.match(
      stderr,
      /^perrario · las dependencias de \S+ faltan o son de otra versión, y esta orden no las instala: npm ci\n$/,
    )
    assert.is(readdirSync(t.release).includes('node_modules'), packages !== null)
    assert.match(run(t, INSTALL).stdout, /\nnpm ci /)
  }
})

commands('settings reach a command as systemd reads them, with spaces and signs', ({ dir, bin, release }) => {
  symlinkSync(release, join(dir, 'current'))
  write(
    join(dir, 'perrario.env'),
    '# MAIL_FROM=nadie\n\nMAIL_FROM=Perrario <hola@perrario.example>  \nSITE_URL="https://perrario.example"\nSECRET=\'$(id) `id` "a" & b=c\'',
  )
  const { status, stdout, stderr } = spawnSync(
    'sh',
    [join(root, 'deploy/command.sh'), 'admin', 'verify', 'Ana López'],
    {
      encoding: 'utf8',
      env: {
        PATH: `${bin}${delimiter}${process.env.PATH}`,
        PERRARIO_ROOT: dir,
        PERRARIO_ENV: join(dir, 'perrario.env'),
      },
    },
  )
  assert.equal([status, stderr], [0, ''])
  assert.equal(stdout.split('\n').slice(0, 4), [
    '-u perrario -- node_modules/node/bin/node scripts/admin.ts verify Ana López',
    'Perrario <hola@perrario.example>',
    'https://perrario.example',
    '$(id) `id` "a" & b=c',
  ])
})
