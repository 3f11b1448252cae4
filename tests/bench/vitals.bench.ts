/**
 * What a visitor on a slow phone lives through, template by template: a real Chromium, 390 x 844 at two pixels a point, 1.6 Mbit/s
 * down and 150 ms a request, its processor slowed fourfold; the demo's community with its photos, nothing kept from an
 * earlier visit. Medians of VITALS_ROUNDS.
 *
 * `VITALS_URL` measures a server that runs already (its demo community) instead of one of our own.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { migrate, openDatabase } from '#db/client.ts'
import { launchBrowser, PHONE, openContext } from '#tests/support/browser/chromium.ts'
import { fillDemo } from '#app/demo/fill.ts'
import { percentilesOf, printTable } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'

const ROUNDS = Number(process.env.VITALS_ROUNDS ?? 5)
/** What a page still does by itself is over by then, milliseconds. */
const SETTLE_MS = 2500
const SLOW_NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 }

interface Vitals {
  fcp: number
  lcp: number
  cls: number
  tbt: number
  /** What was largest, for whoever wants to mend it. */
  what: string
  shifted: string
}

declare global {
  interface Window {
    vitals: Vitals
  }
}

/** An entry with the fields of largest-contentful-paint and layout-shift, which TypeScript's library lacks in part. */
type VitalsEntry = PerformanceEntry & {
  element: Element | null
  hadRecentInput: boolean
  value: number
  sources: { node: Element | null }[]
}

/** Runs in the page before anything else does. */
function watchVitals() {
  const vitals: Vitals = { fcp: 0, lcp: 0, cls: 0, tbt: 0, what: '', shifted: '' }
  window.vitals = vitals
  const watch = (type: string, hear: (entry: VitalsEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => hear(entry as VitalsEntry))).observe({
      type,
      buffered: true,
    })
  const name = (node: Element | null) =>
    node ? [node.localName, ...(node.getAttribute?.('class') ?? '').split(' ').filter(Boolean)].join('.') : '?'
  watch('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') vitals.fcp = entry.startTime
  })
  watch('largest-contentful-paint', (entry) => {
    vitals.lcp = entry.startTime
    vitals.what = name(entry.element)
  })
  watch('layout-shift', (entry) => {
    if (entry.hadRecentInput) return
    vitals.cls += entry.value
    vitals.shifted += ` ${entry.sources.map(({ node }) => name(node)).join('+')}`
  })
  watch('longtask', (entry) => (vitals.tbt += entry.duration - 50))
}

async function measure(browser: Browser, url: string) {
  const context = await openContext(browser, { ...PHONE, deviceScaleFactor: 2 })
  const page = await context.newPage()
  await page.addInitScript(watchVitals)
  const tools = await context.newCDPSession(page)
  await tools.send('Network.enable')
  await tools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await tools.send('Network.emulateNetworkConditions', SLOW_NETWORK)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const bytes: Record<string, number> = {}
  const kinds = new Map<string, string>()
  tools.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  tools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other'
    bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength / 1000
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(SETTLE_MS)
  const first = await page.evaluate(() => window.vitals)
  const loaded = { ...bytes }
  // Down to the end at a reader's pace, so that what comes late may shift what stands.
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  for (let seen = 0; seen < 6; seen++) {
    await page.evaluate(() => scrollBy({ top: innerHeight, behavior: 'instant' }))
    await page.waitForTimeout(150)
  }
  const { cls, shifted } = await page.evaluate(() => window.vitals)
  await context.close()
  return { ...first, cls, shifted, bytes: loaded }
}

const ownDemo = process.env.VITALS_URL ? null : await startDemoServer()
const url = process.env.VITALS_URL ?? ownDemo!.server.url
const { dogs } = await (await fetch(`${url}/api/dogs?limit=1`)).json()
const PAGES = [
  ['home', '/'],
  ['breed', `/razas/${dogs[0].path.split('/')[1]}`],
  ['dog', dogs[0].path],
  ['album', '/razas'],
  ['community', '/comunidad'],
  ['legal', '/terminos'],
  ['profile', `/usuario/${dogs[0].owner_id ?? dogs[0].user_id}`],
  ['map', '/?view=map'],
].filter(([name]) => !process.env.VITALS_ONLY || process.env.VITALS_ONLY.split(',').includes(name!)) as [
  string,
  string,
][]

const rows: (string | number)[][] = []
const notes: string[] = []
const browser = await launchBrowser()
for (const [name, path] of PAGES) {
  const rounds: Awaited<ReturnType<typeof measure>>[] = []
  // The first lets the server make its pictures and pages.
  for (let round = -1; round < ROUNDS; round++) {
    const measured = await measure(browser, url + path)
    if (round >= 0) rounds.push(measured)
  }
  const median = (of: (round: (typeof rounds)[number]) => number) => percentilesOf(rounds.map(of)).median
  const { Document = 0, Stylesheet = 0, Script = 0, Font = 0, Image = 0 } = rounds[0]!.bytes
  rows.push([
    name,
    String(Math.round(median((r) => r.fcp))),
    String(Math.round(median((r) => r.lcp))),
    String(Math.round(Math.max(...rounds.map((r) => r.lcp)))),
    Math.max(...rounds.map((r) => r.cls)).toFixed(4),
    String(Math.round(median((r) => r.tbt))),
    Document,
    Stylesheet,
    Script,
    Font,
    Image,
  ])
  const shifted = rounds.find((r) => r.shifted)?.shifted
  notes.push(`${name}: ${rounds[0]!.what}${shifted ? `; se mueve${shifted}` : ''}`)
}
await browser.close()
if (ownDemo) {
  await ownDemo.server.dispose()
  rmSync(ownDemo.dataDir, { recursive: true, force: true })
}
printTable(
  ['página', 'FCP ms', 'LCP ms', 'peor', 'CLS', 'TBT ms', 'HTML kB', 'CSS kB', 'script kB', 'letras kB', 'fotos kB'],
  rows,
)
console.log(`\nLo mayor de cada una: ${notes.join(' · ')}`)

async function startDemoServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'perrario-vitals-'))
  const db = openDatabase(join(dataDir, 'perrario.db'))
  await migrate(db)
  await fillDemo(db, dataDir, () => {}, { members: 30, dogs: 120 })
  await db.destroy()
  return { dataDir, server: await startMeasuredServer({ DATA_DIR: dataDir }) }
}
