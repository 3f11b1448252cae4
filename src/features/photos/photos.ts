/**
 * Photo addresses. A stored photo's url is `/photos/{dogId}_{timestamp}_{random}.{ext}`; what a page shows is a render of
 * it under `/_ipx/…`, built by unpic and served by render/photo-handler.server.ts from an allow-list of boxes (docs/product.md §24.2).
 */
import { generate } from 'unpic/providers/ipx'
import { paths } from '#lib/paths.ts'

export const MAX_PHOTOS = 10

/** Maximum size of a stored photo (docs/product.md §24.1); browser and server both enforce it. */
export const PHOTO_MAX_MB = 0.2
export const PHOTO_MAX_SIDE_PX = 800

/** Maximum size of one uploaded photo, for browsers that cannot compress. Ten fit the body limit. */
export const PHOTO_UPLOAD_MAX_BYTES = 4 * 1024 * 1024

/** The boxes of docs/product.md §24.2: CSS pixels and quality. Each is also rendered at 2x, never enlarged. */
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

/** The file name in a stored photo's url; null for any other address. All access to files goes through this check. */
export const photoName = (url: string): string | null => PHOTO_URL.exec(url)?.[1] ?? null

/** The address that serves a hidden photo to those who may see it; other addresses unchanged. */
export const hiddenPhotoUrl = (url: string): string => {
  const name = photoName(url)
  return name ? paths.api.hiddenPhoto(name) : url
}

/** URL prefixes by box and scale, built once: a page of dogs needs a hundred of them. The photo's url is appended. */
const renderPrefixes = new Map<string, string>()

function renderUrl(url: string, box: Box, scale: 1 | 2): string {
  const key = `${box}@${scale}`
  let prefix = renderPrefixes.get(key)
  if (prefix === undefined) {
    const { width, height, quality } = BOXES[box]
    prefix = generate('/', { width: width * scale, height: height * scale, quality }).slice(0, -1)
    renderPrefixes.set(key, prefix)
  }
  return prefix + url
}

/** The `src` of a photo in a box: a render of a stored photo, any other safe address unchanged, else the placeholder. */
export const photoSrc = (url: string, box: Box): string => (photoName(url) ? renderUrl(url, box, 1) : safePhotoUrl(url))

/** The photo whose `photoSrc` is `src`: `photoSrc` of both is the same. */
export const photoOfSrc = (src: string): string => src.replace(/^\/_ipx\/[^/]+(?=\/photos\/)/, '')

/**
 * The `srcset` of a photo in a box: 2x, to which browsers add `src` as 1x (HTML, «update the source set»). Undefined where nothing
 * sharper exists: drawings, foreign addresses, and boxes as large as a stored photo.
 */
export function photoSrcSet(url: string, box: Box): string | undefined {
  if (!photoName(url) || BOXES[box].width >= PHOTO_MAX_SIDE_PX) return undefined
  return `${renderUrl(url, box, 2)} 2x`
}

/**
 * The `srcset` by width, to go with `sizes`, where a photo's width varies with the window: the browser then takes the smaller
 * render where it suffices. On a phone a card is 180 px wide, and the render of 600 px weighs three times as much.
 */
export function photoSrcSetByWidth(url: string, box: Box): string | undefined {
  if (!photoName(url)) return undefined
  const { width } = BOXES[box]
  return `${renderUrl(url, box, 1)} ${width}w, ${renderUrl(url, box, 2)} ${width * 2}w`
}

/** `url` if it is safe to show as an image, else the placeholder (docs/product.md §22.4). */
export function safePhotoUrl(url: string | null | undefined): string {
  const isSafe = url && !/\s/.test(url) && (/^(\/|data:)/.test(url) || (/^https?:\/\//.test(url) && URL.canParse(url)))
  return isSafe ? url : paths.placeholder
}
