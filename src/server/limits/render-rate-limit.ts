import type { ServerResponse } from 'node:http'
import { AppError } from '#lib/errors.ts'
import { MINUTE_SECONDS } from '#lib/time.ts'
import { limit } from './rate-limit.ts'

const TOO_MANY_PAGES = 'Has abierto demasiadas páginas en muy poco tiempo. Espera un momento y vuelve a intentarlo.'

/**
 * Pictures that one network may have made a minute, as a part of its pages: at 25 to 60 ms each, half of what one core makes. Those
 * of lists are made when a photo is added, and every one is made once.
 */
const PICTURE_SHARE = 0.25

/**
 * Takes one of the pictures that `network` may have made a minute. Stored ones never count.
 * @param perMinute pages (RENDERS_PER_MINUTE); 0: no limit
 * @returns false where none is left
 */
export async function consumePictureQuota(network: string, perMinute: number): Promise<boolean> {
  if (perMinute === 0) return true
  try {
    await limit('picture-render', network, Math.max(1, Math.floor(perMinute * PICTURE_SHARE)), MINUTE_SECONDS)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/**
 * Takes one of the pages that `network` may have rendered a minute (docs/product.md §23.4: no fewer than 3,000; cached pages
 * and files never count).
 * @param perMinute 0: no limit
 * @returns false where none is left: it has then sent the 429 itself
 */
export async function consumeRenderQuota(network: string, perMinute: number, res: ServerResponse): Promise<boolean> {
  if (perMinute === 0) return true
  try {
    await limit('page-render', network, perMinute, 60)
    return true
  } catch (error) {
    const seconds = Math.ceil((error instanceof AppError && error.retryAfter) || 60)
    res.writeHead(429, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': String(seconds),
    })
    res.end(`<!doctype html><html lang="es"><title>Perrario</title><p>${TOO_MANY_PAGES}</p></html>`)
    return false
  }
}
