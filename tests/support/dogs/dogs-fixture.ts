import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'uvu'
import type { Trx as Db } from '#db/client.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { freshDb } from '#tests/support/db.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'

export interface DogsFixture {
  db: Db
  dir: string
}

/** Gives every test of the suite a database and a data directory of its own. */
export function useDogsFixture(test: Test<DogsFixture>): void {
  test.before.each((t) => {
    t.db = freshDb()
    t.dir = mkdtempSync(join(tmpdir(), 'perrario-dogs-'))
  })
  test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }))
}

/** The files of photos, by name. */
export const listPhotoFiles = (dir: string): string[] =>
  existsSync(join(dir, 'photos')) ? readdirSync(join(dir, 'photos')).sort() : []

/** A dog with real files, of `userId`. */
export async function addDogWithFiles(db: Db, dir: string, userId: string | null, count = 2) {
  const uploads = await Promise.all(Array.from({ length: count }, (_, i) => photo(i * 20)))
  return addDog(db, dir, { input: dogSchema.parse({ name: 'Toby', breed: 'beagle' }), uploads, userId })
}
