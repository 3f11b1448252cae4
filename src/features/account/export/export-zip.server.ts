import { stat } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Db } from '#db/client.ts'
import { assertRecentSignIn, type AuthenticatedMember } from '#features/auth/recent-auth/recent-auth.ts'
import { quarantinedPhotoFile, photoFile } from '#features/photos/files.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { unauthenticated } from '#lib/errors.ts'
import { exportJson, readMemberDogs, toArchivePath } from './export-json.server.ts'

/** A photo's bytes; one that goes while the archive is being made ends where it ended and breaks nothing. */
async function* readPhotoBytes(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file)
  } catch (error) {
    console.error('A photo is missing from an export:', error)
  }
}

const isFile = (path: string) =>
  stat(path).then(
    (info) => info.isFile(),
    () => false,
  )

/**
 * A copy of everything the member has here.
 * @throws AppError 401; 403 where they have not proved lately who they are
 */
export function exportMemberData(
  db: Db,
  dataDir: string,
  asker: AuthenticatedMember | null,
): AsyncGenerator<Uint8Array> {
  if (!asker) throw unauthenticated()
  assertRecentSignIn(asker)
  return exportZip(db, dataDir, asker.id)
}

/**
 * The archive of a member's data, as it is being made: datos.json and the photos of their dogs, one after the other and
 * never faster than they are taken. A photo whose file is lost is left out. Whoever stops early leaves nothing open.
 * @throws what reading the data threw; the archive then ends short and opens nowhere
 */
async function* exportZip(db: Db, dataDir: string, userId: string): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let source: Readable | undefined
  const fail = (error: Error) => void output.destroy(error)
  zip.on('error', fail)
  const add = (name: string, compress: boolean, open: () => Readable) =>
    zip.addReadStreamLazy(name, { compress }, (use) => {
      source = open().on('error', fail)
      use(null, source)
    })
  const addPhotos = async () => {
    for await (const { dog, images } of readMemberDogs(db, userId))
      for (const image of images) {
        const name = toArchivePath(dog, image)
        if (!name) continue
        const place = image.hidden ? quarantinedPhotoFile : photoFile
        const file = place(dataDir, photoName(image.url)!)
        if (output.destroyed) return
        if (await isFile(file)) add(name, false, () => Readable.from(readPhotoBytes(file)))
      }
    zip.end()
  }
  try {
    add('datos.json', true, () => Readable.from(exportJson(db, userId)))
    addPhotos().catch(fail)
    yield* output
  } finally {
    output.destroy()
    source?.destroy()
  }
}
