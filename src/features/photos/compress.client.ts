import imageCompression from 'browser-image-compression'
// The library's worker imports the library again, by default from a CDN: `libURL` points it to our own copy.
import libUrl from 'browser-image-compression/dist/browser-image-compression.js?url'

export { sniff } from './sniff.ts'
export { isTruncated } from './truncated.ts'

/**
 * Shrinks a photo in a worker. Loaded on use, because it weighs more than the form that needs it.
 * @param onProgress called with the share done, 0 to 1
 */
export const compress = (
  file: File,
  maxSizeMB: number,
  maxWidthOrHeight: number,
  onProgress: (share: number) => void,
): Promise<File> =>
  imageCompression(file, {
    maxSizeMB,
    maxWidthOrHeight,
    fileType: 'image/jpeg',
    initialQuality: 0.9,
    useWebWorker: true,
    onProgress: (percent) => onProgress(percent / 100),
    libURL: new URL(libUrl, location.href).href,
  })
