import { join } from 'node:path'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { PART_SUFFIX } from '#features/storage/files.server.ts'
import { LocalPhotoStore } from '#features/storage/local-store.server.ts'
import type { PhotoStore, StoredFile } from '#features/storage/photo-store.server.ts'
import { hashBytes } from '../files.server.ts'
import { MaintenanceError } from '../maintenance.ts'

/** Originals, hidden ones too, the operator's pictures, and what the doctor put aside. Backups stay where they are. */
const PREFIXES = ['photos/', 'razas/', 'lost/']
/** Photos that are copied or compared at the same time. */
const CONCURRENCY = 8

export interface PhotoMoveOptions {
  /** The folder of the local side, for the operator. */
  localDir: string
  onProgress?: (progress: { done: number; total: number }) => void
}

export interface MovedPhotos {
  files: number
  bytes: number
  /** SHA-256 of all keys with the SHA-256 of their content, in order of key, hexadecimal. */
  digest: string
}

/** Half-written files, as a move that was broken off leaves them, are no photos. */
async function listFiles(store: PhotoStore): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for (const prefix of PREFIXES)
    for await (const file of store.list(prefix)) if (!file.key.endsWith(PART_SUFFIX)) files.push(file)
  return files.toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/** The members' photos in `dataDir`, which a move to a bucket leaves there: how many, and the paths of their folders. */
export async function findLocalPhotos(dataDir: string): Promise<{ files: number; folders: string[] }> {
  const found = { files: 0, folders: [] as string[] }
  for (const name of ['photos', 'lost']) {
    const files = (await Array.fromAsync(new LocalPhotoStore(dataDir).list(`${name}/`))).length
    if (files > 0) found.folders.push(join(dataDir, name))
    found.files += files
  }
  return found
}

/** Names all folders at once. To put them aside comes first: nobody here knows which side is the right one. */
function foreignPhotosError(keys: readonly string[], target: PhotoStore, localDir: string): MaintenanceError {
  const prefixes = PREFIXES.filter((prefix) => keys.some((key) => key.startsWith(prefix)))
  const places = prefixes.map((prefix) => (target.isRemote ? prefix : join(localDir, prefix)))
  const placesText = new Intl.ListFormat('es').format(places) + (target.isRemote ? ' del bucket' : '')
  return new MaintenanceError(
    `el destino tiene fotos que el origen no tiene (${keys[0]}): aparta ${placesText}, o bórralo si no lo necesitas, y repite la orden.`,
  )
}

/**
 * Copies all photos of a store to another one and reads every copy back. Nobody may write to either. Copies that are equal are not made
 * again, so that a move that was broken off goes on.
 * @returns what both stores hold
 * @throws MaintenanceError where the target has a file that the source does not have, or a copy differs from its original
 * @throws StoreUnavailableError where a bucket does not answer
 */
export async function movePhotos(
  source: PhotoStore,
  target: PhotoStore,
  { localDir, onProgress = () => {} }: PhotoMoveOptions,
): Promise<MovedPhotos> {
  const files = await listFiles(source)
  const keys = new Set(files.map(({ key }) => key))
  const present = new Map((await listFiles(target)).map(({ key, bytes }) => [key, bytes]))
  const foreign = [...present.keys()].filter((key) => !keys.has(key))
  if (foreign.length > 0) throw foreignPhotosError(foreign, target, localDir)
  const sums = new Map<string, string>()
  await forEachConcurrently(files, CONCURRENCY, async ({ key, bytes }) => {
    const original = await source.get(key)
    if (original === null) throw new MaintenanceError(`la foto ${key} ha desaparecido: hazlo con el sitio parado.`)
    const isCopied = async () => (await target.get(key))?.equals(original) === true
    // One of the same size may be from a move of other data, or damaged.
    if (present.get(key) !== bytes || !(await isCopied())) {
      await target.put(key, original)
      if (!(await isCopied())) throw new MaintenanceError(`la copia de la foto ${key} no es igual.`)
    }
    sums.set(key, hashBytes(original))
    onProgress({ done: sums.size, total: files.length })
  })
  const lines = files.map(({ key }) => `${key} ${sums.get(key)}\n`)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return { files: files.length, bytes, digest: hashBytes(lines.join('')) }
}
