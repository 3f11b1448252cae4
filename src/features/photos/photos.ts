/**
 * Photo addresses. A stored photo's url is `/photos/{dogId}_{timestamp}_{random}.{ext}`; what a page shows is a render of
 * it under `/_ipx/…`, written by unpic and answered by deliver.server.ts from an allow-list of boxes (docs/product.md §24.2).
 */
import { generate } from 'unpic/providers/ipx'
import { paths } from '#lib/paths.ts'

export const MAX_PHOTOS = 10

/** What a stored photo may weigh and measure (docs/product.md §24.1); browser and server both see to it. */
export const PHOTO_MAX_MB = 0.2
export const PHOTO_MAX_SIDE_PX = 800

/** What the server takes of one photo: what a browser sends that could not compress it. Ten fit the body limit. */
export const PHOTO_UPLOAD_MAX_BYTES = 4 * 1024 * 1024

/** The boxes of docs/product.md §24.2, CSS pixels and quality; each is also rendered at 2x, never enlarged. */
export const BOXES = {
  card: { width: 300, height: 300, quality: 95 },
  thumb: { width: 120, height: 120, quality: 90 },
  carousel: { width: 900, height: 900, quality: 85 },
  breed: { width: 700, height: 700, quality: 90 },
  small: { width: 100, height: 100, quality: 80 },
  dogThumb: { width: 250, height: 250, quality: 85 },
  default: { width: 500, height: 600, quality: 90 },
  blur: { width: 24, height: 24, quality: 50 },
} as const
export type Box = keyof typeof BOXES

/** Why a photo was refused, as the person reads it. */
export const PHOTO_TEXTS = {
  unreadable: 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.',
  heic: 'No podemos leer fotos HEIC. En el iPhone, elige «Más compatible» en Ajustes › Cámara › Formatos, o guarda la foto como JPEG y vuelve a subirla.',
  damaged: 'La foto está dañada o incompleta. Prueba con otra.',
  tooLarge: 'La foto es demasiado grande: como máximo, 52 megapíxeles.',
  tooCostly: 'La foto es demasiado grande para su formato. Guárdala como JPEG normal y vuelve a subirla.',
  tooHeavy: 'La foto pesa demasiado: como máximo, 4 MB.',
} as const

const PHOTO_URL = /^\/photos\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}_\d{13,}_[0-9a-z]{8}\.jpg)$/

/** The file name in a stored photo's url; null for any other address. The only way from an address to a file. */
export const photoName = (url: string): string | null => PHOTO_URL.exec(url)?.[1] ?? null

/** Where a photo that is out of sight is shown to the people who may see it; other addresses as they are. */
export const quarantinedPhotoUrl = (url: string): string => {
  const name = photoName(url)
  return name ? paths.api.quarantinedPhoto(name) : url
}

/** Written once per box and size, because a page of dogs asks a hundred times; the photo's url is put in its place. */
const renderPrefixes = new Map<string, string>()

function renderUrl(url: string, box: Box, scale: 1 | 2): string {
  const key = `${box}@${scale}`
  let made = renderPrefixes.get(key)
  if (made === undefined) {
    const { width, height, quality } = BOXES[box]
    made = generate('/', { width: width * scale, height: height * scale, quality }).slice(0, -1)
    renderPrefixes.set(key, made)
  }
  return made + url
}

/** What `<img src>` shows for a photo in a box: a render of ours, any other good address as it is, else the placeholder. */
export const photoSrc = (url: string, box: Box): string => (photoName(url) ? renderUrl(url, box, 1) : safePhotoUrl(url))

/**
 * What `<img srcset>` offers besides: the same at 2x. Undefined where there is nothing sharper: drawings, addresses that
 * are not ours, and boxes that already show all of a stored photo.
 */
export function photoSrcSet(url: string, box: Box): string | undefined {
  if (!photoName(url) || BOXES[box].width >= PHOTO_MAX_SIDE_PX) return undefined
  return `${renderUrl(url, box, 1)} 1x, ${renderUrl(url, box, 2)} 2x`
}

/**
 * What `<img srcset>` offers where a photo's width varies with the window, to go with `sizes`: the browser then takes the
 * lesser render wherever it is enough. On a phone a card is 180 px wide and the one of 600 px weighs three times as much.
 */
export function photoSrcSetByWidth(url: string, box: Box): string | undefined {
  if (!photoName(url)) return undefined
  const { width } = BOXES[box]
  return `${renderUrl(url, box, 1)} ${width}w, ${renderUrl(url, box, 2)} ${width * 2}w`
}

/** An address that may be shown as an image, or the placeholder (docs/product.md §22.4). */
export function safePhotoUrl(url: string | null | undefined): string {
  const good = url && !/\s/.test(url) && (/^(\/|data:)/.test(url) || (/^https?:\/\//.test(url) && URL.canParse(url)))
  return good ? url : paths.placeholder
}
