import { type Sqlite, sqliteOf } from '#db/client.ts'
import { isIntactImage } from '#features/photos/render/image-integrity.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { toProblem } from '#server/problem.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import sharp from 'sharp'
import { assert, captureConsole, insert, member, seed, suite } from '#tests/support/suites.ts'

const trouble = suite('unit/lib/storage-errors: storage failures')

const coded = (code: string) => Object.assign(new Error(code), { code })

trouble('a storage failure is distinguished from other errors', () => {
  for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL'])
    assert.is(findStorageFailure(coded(code)), 'full', code)
  for (const code of [
    'EROFS',
    'EIO',
    'EACCES',
    'EPERM',
    'SQLITE_PERM',
    'SQLITE_READONLY',
    'SQLITE_READONLY_DBMOVED',
    'SQLITE_IOERR_WRITE',
    'SQLITE_CANTOPEN',
  ])
    assert.is(findStorageFailure(coded(code)), 'refused', code)
  assert.is(findStorageFailure(coded('SQLITE_BUSY')), 'busy')
  for (const other of [
    coded('ENOENT'),
    coded('SQLITE_CONSTRAINT_UNIQUE'),
    new Error('x'),
    null,
    undefined,
    'ENOSPC',
    { code: 7 },
  ])
    assert.is(findStorageFailure(other), null)
})

trouble('a storage failure has a status, a message and Retry-After', async () => {
  using _ = captureConsole()
  const answers = await Promise.all(
    ['SQLITE_FULL', 'EROFS', 'SQLITE_BUSY'].map(async (code) => {
      const response = toProblem(coded(code))
      return [response.status, response.headers.get('retry-after'), (await response.json()).detail]
    }),
  )
  assert.equal(answers, [
    [507, '600', 'Ahora mismo no nos queda sitio para guardar nada. Inténtalo más tarde.'],
    [503, '300', 'Ahora mismo no podemos guardar nada. Inténtalo dentro de un rato.'],
    [503, '5', 'Hay mucho movimiento ahora mismo. Inténtalo de nuevo.'],
  ])
})

/** The database takes no more pages, as on a full disk. */
function fill(sqlite: Sqlite) {
  sqlite.exec('VACUUM')
  sqlite.pragma(`max_page_count = ${sqlite.pragma('page_count', { simple: true }) as number}`)
}

trouble('a transaction on a full disk fails with the disk’s own reason, and the next one works', async () => {
  await using db = sqliteDb()
  const sqlite = sqliteOf(db)
  const [ana] = await seed(db, member())
  fill(sqlite)
  const much = () =>
    db.transaction().execute(async (trx) => {
      for (let i = 0; i < 50; i++)
        await insert(trx, 'notifications_all', {
          id: String(i),
          user_id: ana.id,
          type: 'other',
          title: 'x',
          content: 'x'.repeat(5000),
          created_at: 1,
        })
    })
  assert.is((await much().catch((error) => error)).code, 'SQLITE_FULL')
  assert.not.ok(sqlite.inTransaction)
  sqlite.pragma('max_page_count = 1000000')
  await much()
  assert.is((await db.selectFrom('notifications_all').select('id').execute()).length, 50)
})

const whole = suite('unit/lib/storage-errors: complete pictures')

whole('complete pictures of our encoders are accepted; short, padded and foreign ones are not', async () => {
  for (const [width, height] of [
    [24, 24],
    [300, 200],
    [900, 600],
  ] as const) {
    const source = sharp(await photo(40, width, height))
    for (const format of ['avif', 'webp', 'jpeg'] as const) {
      const bytes = await source.clone().toFormat(format).toBuffer()
      const what = `${format} ${width}`
      assert.ok(isIntactImage(bytes, format), what)
      for (const part of [0, 1, 20, bytes.length >> 1, bytes.length - 1])
        assert.not.ok(isIntactImage(bytes.subarray(0, part), format), `${what} cut at ${part}`)
      assert.not.ok(isIntactImage(Buffer.alloc(bytes.length), format), `${what} all zeros`)
      assert.not.ok(isIntactImage(Buffer.concat([bytes, bytes.subarray(0, 5)]), format), `${what} too long`)
      for (const other of ['avif', 'webp', 'jpeg'] as const)
        if (other !== format) assert.not.ok(isIntactImage(bytes, other), `${what} as ${other}`)
    }
  }
})

whole('blocks of zeros in a picture are detected', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const source = sharp({ create: { width: 500, height: 400, channels: 3, background: '#000', noise } })
  for (const format of ['avif', 'webp', 'jpeg'] as const) {
    const bytes = await source.clone().toFormat(format).toBuffer()
    assert.ok(bytes.length > 8192)
    const torn = Buffer.from(bytes)
    torn.fill(0, Math.floor((bytes.length - 100) / 4096) * 4096)
    assert.not.ok(isIntactImage(torn, format), format)
  }
})
