/** A file as IndexedDB holds it everywhere: WebKit's private windows refuse Blob and File there, but take bytes. */
export interface StoredFile {
  bytes: ArrayBuffer
  name: string
  type: string
}

/** Reads the file whole. @throws NotReadableError where the device no longer has it */
export const toStored = async (file: File): Promise<StoredFile> => ({
  bytes: await file.arrayBuffer(),
  name: file.name,
  type: file.type,
})

/**
 * The file that was stored, or undefined where `stored` holds none.
 * @param stored also a File or Blob, as earlier versions stored them
 * @param name of a file that was stored without one
 */
export function fromStored(stored: unknown, name: string): File | undefined {
  if (stored instanceof File) return stored
  if (stored instanceof Blob) return new File([stored], name, { type: stored.type })
  if (typeof stored !== 'object' || stored === null) return undefined
  const { bytes, name: ownName, type } = stored as Partial<StoredFile>
  if (!(bytes instanceof ArrayBuffer)) return undefined
  return new File([bytes], ownName || name, { type: type ?? '' })
}
