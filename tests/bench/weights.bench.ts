/**
 * What a page weighs before anybody touches it: bytes of HTML, styles and script, gzipped, that a real browser asks for
 * in its first five seconds.
 */
import { gzipSync } from 'node:zlib'
import { launchBrowser, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { printTable } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'
import { openWorld } from './lib/world.ts'

const world = await openWorld(1000)
const PAGES = [
  '/perros',
  '/perros?view=map',
  world.dogs[0]!.path,
  '/razas',
  '/razas/beagle',
  '/comunidad',
  '/perfil',
  '/login',
  '/terminos',
  '/privacidad',
]
const server = await startMeasuredServer({ ...world.env })
const browser = await launchBrowser()
const rows: (string | number)[][] = []
for (const path of PAGES) {
  const context = await openContext(browser, PHONE)
  const page = await context.newPage()
  const kinds: Record<string, number> = {}
  let react = false
  page.on('response', async (response) => {
    const kind = response.request().resourceType()
    const body = await response.body().catch(() => null)
    if (!body || !['document', 'script', 'stylesheet'].includes(kind)) return
    kinds[kind] = (kinds[kind] ?? 0) + gzipSync(body).length / 1000
    react ||= kind === 'script' && body.includes('react.transitional.element')
  })
  const answer = await page.goto(server.url + path, { waitUntil: 'load' })
  if (answer?.ok()) {
    await page.waitForTimeout(5000)
    rows.push([path, kinds.document ?? 0, kinds.stylesheet ?? 0, kinds.script ?? 0, react ? 'sí' : 'no'])
  } else rows.push([path, `${answer?.status()}`, '', '', ''])
  await context.close()
}
await browser.close()
await server.dispose()
await world.dispose()
printTable(['página', 'HTML kB gzip', 'CSS kB', 'script kB', 'React'], rows)
