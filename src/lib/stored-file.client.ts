/** A file in a form that IndexedDB stores in every browser: WebKit's private windows refuse Blob and File, but accept bytes. */
export interface StoredFile {
  bytes: ArrayBuffer
  name: string
  type: string
}

/** Reads the whole file. @throws NotReadableError where the device no longer has it */
export const toStored = async (file: File): Promise<StoredFile> => ({
  bytes: await file.arrayBuffer(),
  name: file.name,
  type: file.type,
})

/**
 * The stored file, or undefined where `stored` is none.
 * @param stored also a File or Blob, as earlier versions stored them
 * @param name for a file that was stored without one
 */
export function fromStored(stored: unknown, name: string): File | undefined {
  if (stored instanceof File) return stored
  if (stored instanceof Blob) return new File([stored], name, { type: stored.type })
  if (typeof stored !== 'object' || stored === null) return undefined
  const { bytes, name: ownName, type } = stored as Partial<StoredFile>
  if (!(bytes instanceof ArrayBuffer)) return undefined
  return new File([bytes], ownName || name, { type: type ?? '' })
}
