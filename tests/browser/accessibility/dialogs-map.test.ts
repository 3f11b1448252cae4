import * as assert from 'uvu/assert'
import { DESKTOP } from '#tests/support/browser/chromium.ts'
import { walkDialogs } from '#tests/support/browser/dialog-walk.ts'
import { mapSuite, openMapContext } from '#tests/support/map/map-suite.ts'

// A dog's popup over the map, by keyboard alone (support/browser/dialog-walk.ts).
const map = mapSuite('dialogs, the map’s')

const VIENTO = {
  path: '/?view=map&lat=39.47&lon=-6.37&zoom=9',
  opener: '.mark[aria-label^="Viento"]',
  name: 'Viento',
  popover: true,
  placed: true,
} as const

for (const [name, options] of [
  ['on a desktop', {}],
  ['at 320 px', { viewport: { width: 320, height: 568 } }],
  ['at 200 %', { viewport: { width: 640, height: 400 } }],
] as const)
  map(name, async ({ browser, server }) => {
    const context = await openMapContext(browser, { ...DESKTOP, ...options })
    assert.equal(await walkDialogs(() => context.newPage(), server.url, [VIENTO]), [])
    await context.close()
  })

map.run()
