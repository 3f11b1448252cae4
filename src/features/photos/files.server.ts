import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The key of a photo in the store, by its file name. */
export const photoKey = (name: string): string => `photos/${name}`
/** Where versions before moved the file of a hidden photo. The outbox returns it, and until then it is looked for there as well. */
export const formerPhotoKey = (name: string): string => `photos/held/${name}`

/** The folder of a photo's renders, which go with it. */
export const rendersFolder = (dataDir: string, name: string): string => join(dataDir, 'cache', 'photos', name)

/** Deletes all renders of a photo. */
export const deleteRenders = (dataDir: string, name: string): Promise<void> =>
  rm(rendersFolder(dataDir, name), { recursive: true, force: true, maxRetries: 3 })
