import * as assert from 'uvu/assert'
import { DESKTOP } from '#tests/support/browser/chromium.ts'
import { walkDialogs } from '#tests/support/browser/dialog-walk.ts'
import { mapSuite } from '#tests/support/map/map-suite.ts'

// A dog's popup over the map, by keyboard alone (support/browser/dialog-walk.ts).
const map = mapSuite('dialogs, the map’s')

const VIENTO = {
  path: '/?view=map&lat=39.47&lon=-6.37&zoom=9',
  opener: '.mark[aria-label^="Viento"]',
  name: 'Viento',
  popover: true,
  placed: true,
} as const

map('on a desktop, at 320 px and at 200 %', async ({ page, server }) => {
  const found: string[] = []
  for (const [name, size] of [
    ['on a desktop', DESKTOP.viewport],
    ['at 320 px', { width: 320, height: 568 }],
    ['at 200 %', { width: 640, height: 400 }],
  ] as const) {
    await page.setViewportSize(size)
    found.push(...(await walkDialogs(page, server.url, [VIENTO])).map((fault) => `${name}: ${fault}`))
  }
  assert.equal(found, [])
})
