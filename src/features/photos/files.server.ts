import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The key of a photo in the store, by its file name. */
export const photoKey = (name: string): string => `photos/${name}`
/**
 * The key of a quarantined photo: a folder of the public ones that the photo handler serves nothing from. The name stays the same, so
 * that a crash between the commit and the move can be repaired in either direction.
 */
export const quarantinedPhotoKey = (name: string): string => `photos/held/${name}`

/** The folder of a photo's renders, which go with it. */
export const rendersFolder = (dataDir: string, name: string): string => join(dataDir, 'cache', 'photos', name)

/** Deletes all renders of a photo. */
export const deleteRenders = (dataDir: string, name: string): Promise<void> =>
  rm(rendersFolder(dataDir, name), { recursive: true, force: true, maxRetries: 3 })
