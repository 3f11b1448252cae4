import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Trx as Db } from '#db/client.ts'
import { addDog, type NewDog } from '#features/dogs/write/add.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'

/** What a form sends of Toby, a beagle, as the schema reads it. */
export const dogInput = (fields: object = {}) => dogSchema.parse({ name: 'Toby', breed: 'Beagle', ...fields })

/** As many photos, each another picture. */
export const photos = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => photo(n * 20)))

/** Adds Toby as his form does, with his photo's file. @param request what it has besides, or other photos */
export const addRealDog = async (
  { db, dir }: { db: Db; dir: string },
  userId: string | null,
  fields: object = {},
  request: Partial<NewDog> = {},
) => addDog(db, dir, { input: dogInput(fields), uploads: request.uploads ?? (await photos(1)), userId, ...request })

/** The files of photos, by name. */
export const listPhotoFiles = (dir: string): string[] =>
  existsSync(join(dir, 'photos')) ? readdirSync(join(dir, 'photos')).sort() : []

/** A dog with real files, of `userId`. */
export const addDogWithFiles = async (db: Db, dir: string, userId: string | null, count = 2) =>
  addRealDog({ db, dir }, userId, {}, { uploads: await photos(count) })
