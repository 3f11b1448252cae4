import type { Page } from 'playwright'
import sharp from 'sharp'
import * as assert from 'uvu/assert'

export type Colour = [red: number, green: number, blue: number]
export const SEA: Record<'light' | 'dark', Colour> = { light: [187, 224, 242], dark: [15, 39, 58] }
export const LAND: Record<'light' | 'dark', Colour> = { light: [253, 246, 232], dark: [64, 54, 43] }

/** Zoom and query of an address whose middle is the straight coast south of València: land to the west, sea to the east. */
export const coastAt = (zoom: number): string => `lat=39.3&lon=-0.286&zoom=${zoom}`

/** The colour that fills most of a little square so many pixels east of the map's middle. */
async function colourAt(page: Page, east: number): Promise<Colour> {
  const box = (await page.locator('.map-box').boundingBox())!
  const clip = { x: box.x + box.width / 2 + east - 15, y: box.y + box.height / 2 - 15, width: 30, height: 30 }
  const { data, info } = await sharp(await page.screenshot({ clip }))
    .raw()
    .toBuffer({ resolveWithObject: true })
  const counts = new Map<string, number>()
  for (let i = 0; i < data.length; i += info.channels) {
    const key = `${data[i]},${data[i + 1]},${data[i + 2]}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1])
  return most![0].split(',').map(Number) as Colour
}
const isSimilar = (a: Colour, b: Colour) => a.every((value, i) => Math.abs(value - b[i]!) <= 4)

/** Waits until the map shows the colour there; the message tells what it showed last. */
export async function waitForColour(page: Page, east: number, wanted: Colour, what: string): Promise<void> {
  let seen: Colour = [0, 0, 0]
  for (let i = 0; i < 100; i++) {
    seen = await colourAt(page, east)
    if (isSimilar(seen, wanted)) return
    await page.waitForTimeout(100)
  }
  assert.unreachable(`${what}: ${seen} instead of ${wanted}`)
}
