import type { Env } from '#server/env.ts'
import { DATA_POLICY } from './content-policy.ts'

type Site = Pick<Env, 'siteUrl'>

const YEAR_SECONDS = 365 * 24 * 3600

/** Browser features that no page uses. */
const DENIED_FEATURES = `browsing-topics camera display-capture encrypted-media gamepad
  hid idle-detection local-fonts magnetometer microphone midi payment picture-in-picture screen-wake-lock serial storage-access usb window-management xr-spatial-tracking`.split(
  /\s+/,
)
/** `accelerometer` and `gyroscope` because special stickers tilt with the phone (ui/sticker/holo-glare.client.ts). */
const ALLOWED_FEATURES = [
  'accelerometer',
  'autoplay',
  'clipboard-write',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'publickey-credentials-create',
  'publickey-credentials-get',
]

/** Headers of every answer, also of photos and files: few and short, because a page loads dozens of those. */
export function resourceHeaders({ siteUrl }: Site): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Only for this host: other hosts under the domain may not support https.
    ...(siteUrl?.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` }),
  }
}

/** Headers of pages, API answers and refusals: those of every answer, and how a browser treats a document. */
export function documentHeaders(site: Site): Record<string, string> {
  return {
    ...resourceHeaders(site),
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': [
      ...DENIED_FEATURES.map((name) => `${name}=()`),
      ...ALLOWED_FEATURES.map((name) => `${name}=(self)`),
    ].join(', '),
  }
}

/** The value of Clear-Site-Data that makes the browser forget prefetched pages. */
export const CLEAR_PREFETCHED = '"prefetchCache"'

/** Headers of photos, streams and everything else that is no page, no API answer and no file of the build. */
export const dataHeaders = (site: Site): Record<string, string> => ({
  ...resourceHeaders(site),
  'Content-Security-Policy': DATA_POLICY,
})
