import { paths } from '#lib/paths.ts'

let available: Promise<boolean> | undefined

/** Whether this site detects breeds. Fetched once a page; false after a failure, which the next call retries. */
export function isDetectionAvailable(): Promise<boolean> {
  available ??= fetchAvailability().catch(() => {
    available = undefined
    return false
  })
  return available
}

async function fetchAvailability(): Promise<boolean> {
  const response = await fetch(paths.api.breedDetection, { headers: { Accept: 'application/json' } })
  if (!response.ok) throw new Error(response.statusText)
  return ((await response.json()) as { available: boolean }).available
}
