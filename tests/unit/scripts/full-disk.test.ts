import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { mountTestDisk } from '#tests/support/faults/test-disk.ts'
import { root } from '#tests/support/sources.ts'
import { assert, folderSuite } from '#tests/support/suites.ts'

// Builds and updates on a disk that has no space for them: the site that runs from it goes on.
const scripts = folderSuite('unit/scripts/full-disk')

const mounted = mountTestDisk(64)
if ('missing' in mounted) {
  const { missing } = mounted
  scripts('a build is skipped, because no disk can be created', () => {
    console.log(`SKIPPED: a build on a full disk (${missing})`)
    assert.match(missing, /^(mkfs\.ext4 -q -F|mount -o loop) /, 'no other reason')
  })
} else {
  scripts('a build without space ends in one line and leaves the last one', () => {
    const site = join(mounted.dir, 'site')
    for (const file of ['scripts/lib/setup.mjs', 'scripts/lib/runtime.json']) cpSync(join(root, file), join(site, file))
    mkdirSync(join(site, 'dist'))
    writeFileSync(join(site, 'dist/.perrario-built'), 'an earlier one')
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import(${JSON.stringify(join(site, 'scripts/lib/setup.mjs'))}).then((m) => m.build())`,
      ],
      { encoding: 'utf8' },
    )
    assert.equal([status, stdout], [1, ''])
    assert.match(
      stderr,
      /^perrario · no queda sitio en el disco para construir el sitio: hacen falta 120 MB y quedan \d+ MB en \S+\.\n$/,
    )
    assert.ok(existsSync(join(site, 'dist/.perrario-built')))
  })
  scripts.after(() => mounted.dispose())
}

scripts('an update that cannot be built leaves the running release alone, and nothing of its own', ({ dir }) => {
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  const releases = join(dir, 'releases')
  mkdirSync(join(releases, 'before'), { recursive: true })
  symlinkSync(join(releases, 'before'), join(dir, 'current'))
  const fakeCommand = (name: string, body: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  fakeCommand('git', 'case "$*" in *rev-parse*) echo 0123abcd;; *archive*) tar -c -T /dev/null;; esac')
  fakeCommand('npm', 'mkdir node_modules; echo half > node_modules/half; echo "npm error ENOSPC" >&2; exit 228')
  for (const name of ['systemctl', 'runuser', 'curl', 'node']) fakeCommand(name, 'echo "$0 must not run" >&2; exit 1')
  const { status, stdout, stderr } = spawnSync('sh', [join(root, 'deploy/update.sh'), 'v2'], {
    encoding: 'utf8',
    env: { PATH: `${bin}:${process.env.PATH}`, PERRARIO_ROOT: dir },
  })
  assert.equal([status, stdout], [228, 'perrario · construyendo v2\n'])
  assert.is(stderr, 'npm error ENOSPC\nperrario · no se pudo construir v2: sigue la de antes\n')
  assert.equal(readdirSync(releases), ['before'])
  assert.is(readlinkSync(join(dir, 'current')), join(releases, 'before'))
})
