import { runChecks } from '#features/maintenance/doctor/doctor.server.ts'
import type { Finding } from '#features/maintenance/doctor/finding.ts'
import { BucketPhotoStore } from '#features/storage/bucket-store.server.ts'
import { usePhotoStore } from '#features/storage/photo-store.server.ts'
import { addDogWithPhotos, type DataDir, makeDataDir } from '#tests/support/maintenance/data-dir.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { startBucket, type TestBucket } from '#tests/support/storage/bucket.ts'
import { assert, suite } from '#tests/support/suites.ts'

// What the operator's commands print while the bucket does not answer.

interface World {
  bucket: TestBucket
  data: DataDir
  run: (name: string, ...words: string[]) => ReturnType<typeof runCommand>
}
const commands = suite<World>('unit/maintenance/bucket-commands')
commands.before.each(async (t) => {
  t.bucket = await startBucket()
  t.data = await makeDataDir()
  await addDogWithPhotos(t.data, 1)
  const env = { DATA_DIR: t.data.dir, BACKUP_DIR: t.data.backupDir, ...t.bucket.env }
  t.run = (name, ...words) => runCommand(name, words, env)
})
commands.after.each(async (t) => {
  await t.data.dispose()
  await t.bucket.dispose()
})

const countLines = (output: string, pattern: RegExp) => output.split('\n').filter((line) => pattern.test(line)).length

commands('a bucket that refuses is one line of a command', async (t) => {
  await t.bucket.setMode('refused')
  for (const [name, ...words] of [['move', '--to-bucket'], ['doctor'], ['backup']] as const) {
    const { code, output } = await t.run(name, ...words)
    assert.is(code, 1, output)
    assert.is(countLines(output, /el bucket de las fotos no responde \(ECONNREFUSED\)/), 1, output)
  }
})

commands('the doctor tells each finding at once, before it waits for the bucket', async (t) => {
  await t.bucket.setMode('hanging')
  let slow = 0
  let isDone = false
  const told: Finding[] = []
  const checks = await new Promise<{ running: Promise<Finding[]> }>((found, fail) => {
    const onSlow = () => {
      slow++
      found({ running })
    }
    const store = new BucketPhotoStore(t.bucket.settings, { timeoutMs: 2000, slowAfterMs: 100, onSlow })
    usePhotoStore(t.data.dir, store)
    const options = { dataDir: t.data.dir, backupDir: t.data.backupDir, backups: null }
    const running = runChecks({ ...options, onFinding: (finding) => told.push(finding) })
    running.then(() => {
      isDone = true
      fail(new Error('It did not wait'))
    }, fail)
  })
  assert.not(isDone)
  assert.equal(
    told.map(({ what }) => what),
    ['sitio', 'base de datos', 'referencias', 'migraciones', 'recuentos', 'casos', 'borrados'],
  )
  assert.equal(await checks.running, told)
  assert.is(slow, 1)
  assert.match(told.find(({ what }) => what === 'fotos')!.detail, /no responde a tiempo/)
})
