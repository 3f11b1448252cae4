import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertRecentSignIn, type AuthenticatedMember } from '#features/auth/recent-auth/recent-auth.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { photoKey } from '#features/photos/files.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { photoStore, type PhotoStore } from '#features/storage/photo-store.server.ts'
import { unauthenticated } from '#lib/errors.ts'
import { exportJson } from './export-json.server.ts'
import { readMemberDogs, toArchivePath } from './member-dogs.server.ts'

/** A photo's bytes. A file that disappears meanwhile ends early, without failing the archive. */
async function* readPhotoBytes(store: PhotoStore, key: string): AsyncGenerator<Uint8Array> {
  try {
    yield* (await store.stream(key)) ?? []
  } catch (error) {
    console.error('perrario · falta una foto en una exportación:', error)
  }
}

/**
 * The zip archive of all the member's data.
 * @throws AppError 401; 403 without recent authentication
 */
export function exportMemberData(
  db: Db,
  dataDir: string,
  requester: AuthenticatedMember | null,
): AsyncGenerator<Uint8Array> {
  if (!requester) throw unauthenticated()
  assertRecentSignIn(requester)
  return exportZip(db, dataDir, requester.id)
}

/** Logs that the member downloads it. */
export const logExport = (db: Db, userId: string): Promise<void> =>
  transact(db, (trx) => logSecurityEvent(trx, userId, 'export-downloaded'))

/**
 * Streams the archive while it is built: datos.json and the photos of the member's dogs, one after the other, with
 * backpressure. Photos without a file are left out. A consumer that stops early leaves no file open.
 * @throws errors of reading the data; the archive is then truncated and cannot be opened
 */
async function* exportZip(db: Db, dataDir: string, userId: string): AsyncGenerator<Uint8Array> {
  const store = photoStore(dataDir)
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let source: Readable | undefined
  const fail = (error: Error) => void output.destroy(error)
  zip.on('error', fail)
  const addEntry = (name: string, compress: boolean, open: () => Readable) =>
    zip.addReadStreamLazy(name, { compress }, (callback) => {
      source = open().on('error', fail)
      callback(null, source)
    })
  const addPhotos = async () => {
    for await (const { dog, images } of readMemberDogs(db, userId))
      for (const image of images) {
        const name = toArchivePath(dog, image)
        const photo = photoName(image.url)
        if (!name || !photo) continue
        const key = photoKey(photo)
        if (output.destroyed) return
        if ((await store.size(key)) !== null) addEntry(name, false, () => Readable.from(readPhotoBytes(store, key)))
      }
    zip.end()
  }
  try {
    addEntry('datos.json', true, () => Readable.from(exportJson(db, userId)))
    addPhotos().catch(fail)
    yield* output
  } finally {
    output.destroy()
    source?.destroy()
  }
}
