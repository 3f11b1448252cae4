import { pngExif, readOrientation, webpExif } from './exif.ts'
import { PHOTO_MAX_MB, PHOTO_MAX_SIDE_PX } from './photos.ts'
import type { SniffedType } from './sniff.ts'

/** Clockwise quarters that turn a picture upright, by EXIF's orientation from 1; those of `MIRRORED` are mirrored first. */
const QUARTERS = [0, 0, 2, 2, 3, 1, 1, 3]
const MIRRORED = [2, 4, 5, 7]

let canvasCheck: Promise<boolean> | undefined

/** A picture as a small upright JPEG. @throws where this browser does not decode the picture, or gives noise for it */
export async function shrink(bytes: Uint8Array<ArrayBuffer>, type: SniffedType): Promise<Blob> {
  if (!(await (canvasCheck ??= isCanvasTrue()))) throw new Error('The canvas gives something else than was drawn')
  // All browsers turn a JPEG by its EXIF and an AVIF by its boxes, only some a WebP or PNG: these are drawn without theirs.
  const find = type === 'webp' ? webpExif : type === 'png' ? pngExif : () => []
  const [exif] = find(new DataView(bytes.buffer), bytes)
  const orientation = exif ? readOrientation(bytes.subarray(exif.start, exif.end)) : 1
  const unturned = exif ? bytes.slice().fill(0, exif.start, exif.end) : bytes
  const image = await createImageBitmap(new Blob([unturned], { type: `image/${type}` }))
  const scale = Math.min(1, PHOTO_MAX_SIDE_PX / Math.max(image.width, image.height))
  const width = Math.max(1, Math.round(image.width * scale))
  const height = Math.max(1, Math.round(image.height * scale))
  const context = orientation > 4 ? createContext(height, width) : createContext(width, height)
  const { canvas } = context
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate(((QUARTERS[orientation - 1] ?? 0) * Math.PI) / 2)
  if (MIRRORED.includes(orientation)) context.scale(-1, 1)
  context.drawImage(image, -width / 2, -height / 2, width, height)
  image.close()
  // The first suits nearly every photo; the rest are for grass, fur and noise.
  for (let quality = 0.9; ; quality -= 0.15) {
    const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality })
    if (jpeg.size <= PHOTO_MAX_MB * 1024 * 1024 || quality < 0.2) return jpeg
  }
}

function createContext(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d')
  if (!context) throw new Error('No drawing context')
  return context
}

/** Nobody sees that a private browser has shifted values by so little. */
const MAX_SHIFT = 2

/** Whether a canvas gives what was drawn: a browser that hides its fingerprint makes noise or one colour of it. */
async function isCanvasTrue(): Promise<boolean> {
  const [drawn, read] = [createContext(16, 1), createContext(16, 1)]
  const probe = drawn.createImageData(16, 1)
  probe.data.set(probe.data.map((_, at) => (at % 4 === 3 ? 255 : at * 4)))
  drawn.putImageData(probe, 0, 0)
  read.drawImage(await createImageBitmap(await drawn.canvas.convertToBlob()), 0, 0)
  return read.getImageData(0, 0, 16, 1).data.every((value, at) => Math.abs(value - (probe.data[at] ?? 0)) <= MAX_SHIFT)
}
