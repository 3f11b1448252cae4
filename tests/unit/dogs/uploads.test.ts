import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storeUploads, type UploadSender } from '#features/dogs/write/uploads.server.ts'
import { AppError } from '#lib/errors.ts'
import { listPhotoFiles } from '#tests/support/dogs/dogs-fixture.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { assert, dataSuite, refusal } from '#tests/support/suites.ts'

const uploads = dataSuite('unit/dogs/uploads')

const DOG_ID = '00000000-0000-4000-8000-000000000001'
const senderOf = (calls: string[], spend?: () => Promise<void>): UploadSender => ({
  id: 'ana',
  network: '10.0.0.0',
  signal: new AbortController().signal,
  admit: async (bytes) => void calls.push(`admit ${bytes > 0}`),
  spend: async (bytes) => {
    calls.push(`spend ${bytes > 0}`)
    await spend?.()
  },
})

uploads('a disk that stores no photo uses up no budget, and its error is returned', async ({ db, dir }) => {
  const calls: string[] = []
  writeFileSync(join(dir, 'photos'), '')
  const error = await storeUploads(db, dir, DOG_ID, [await photo()], senderOf(calls)).catch((error: unknown) => error)
  assert.match(String((error as { code?: string }).code), /^(EEXIST|ENOTDIR)$/)
  assert.equal(calls, ['admit true'])
})

uploads('a photo that the budget refuses is deleted, with those before it', async ({ db, dir }) => {
  const calls: string[] = []
  const refuseSecond = async () => {
    if (calls.length === 4) throw new AppError(503, 'Mañana')
  }
  const storing = storeUploads(
    db,
    dir,
    DOG_ID,
    [await photo(), await photo(20), await photo(40)],
    senderOf(calls, refuseSecond),
  )
  assert.equal(await refusal(storing), [503, 'Mañana'])
  assert.equal(calls, ['admit true', 'spend true', 'admit true', 'spend true'])
  assert.equal(listPhotoFiles(dir), [])
})
