import type { Page } from 'playwright'
import sharp from 'sharp'

/** What a visitor sees of the frame, and no member. */
const VISITOR_PARTS = '[data-me-block=visitor], .join-banner, .app a[href="/login"]'
/** What a member sees of it: their block, the bell, or on a phone the bell alone. */
const MEMBER_PARTS = '[data-me-block=member], [data-bell]'

/** Records, before each frame is painted, which of the parts it shows. Call it before the page is opened. */
export async function recordFrames(page: Page): Promise<void> {
  await page.addInitScript(
    ([visitorParts, memberParts]) => {
      const faults = new Set<string>()
      let count = 0
      const isShown = (part: Element) => part.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
      const findShown = (selector: string) => [...document.querySelectorAll(selector)].filter(isShown)
      const look = () => {
        // Without its frame the page paints nothing.
        if (document.querySelector('.stage')) {
          count++
          for (const part of findShown(visitorParts!)) faults.add(`a visitor’s ${part.outerHTML.slice(0, 80)}`)
          if (document.readyState !== 'loading' && findShown(memberParts!).length === 0) faults.add('no member’s part')
        }
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
      Object.assign(window, { readFrames: () => ({ count, faults: [...faults] }) })
    },
    [VISITOR_PARTS, MEMBER_PARTS],
  )
}

/** What was recorded since the page was opened. */
export const readFrames = (page: Page): Promise<{ count: number; faults: string[] }> =>
  page.evaluate(() => (window as unknown as { readFrames: () => { count: number; faults: string[] } }).readFrames())

/** Takes a picture of each frame that the browser paints, until it is stopped. */
export async function takeFrames(page: Page): Promise<() => Promise<Buffer[]>> {
  const devtools = await page.context().newCDPSession(page)
  const pictures: Buffer[] = []
  devtools.on('Page.screencastFrame', ({ data, sessionId }) => {
    pictures.push(Buffer.from(data, 'base64'))
    devtools.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await devtools.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 })
  return async () => {
    await devtools.send('Page.stopScreencast')
    await devtools.detach()
    return pictures
  }
}

/** A smaller shift is of an icon or a few letters whose neighbours the parser had not reached, on a busy machine. */
const SHIFT_MIN = 0.0005

/**
 * Every part that was moved since the page began, as Chromium reports it: how far, what, from where and to where.
 * @param except a selector of what may move by itself
 */
export const findLayoutShifts = (page: Page, except: string): Promise<string[]> =>
  page.evaluate(
    async ([except, least]) => {
      interface LayoutShift extends PerformanceEntry {
        value: number
        sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
      }
      const found: string[] = []
      const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join()
      const add = (entries: PerformanceEntryList) => {
        for (const { value, sources } of (entries as LayoutShift[]).filter((shift) => shift.value >= least))
          for (const { node, previousRect, currentRect } of sources) {
            if ((node instanceof Element ? node : node?.parentElement)?.closest(except)) continue
            const part = node instanceof Element ? node.outerHTML.slice(0, 80) : node?.textContent
            found.push(`${value.toFixed(5)}: ${part} from ${place(previousRect)} to ${place(currentRect)}`)
          }
      }
      const observer = new PerformanceObserver((list) => add(list.getEntries()))
      observer.observe({ type: 'layout-shift', buffered: true })
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      add(observer.takeRecords())
      return found
    },
    [except, SHIFT_MIN] as const,
  )

/** A part of the window, in CSS pixels. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

const readArea = ({ x, y, width, height }: Area, picture: Buffer): Promise<Buffer> =>
  sharp(picture)
    .extract({ left: Math.floor(x), top: Math.floor(y), width: Math.floor(width), height: Math.floor(height) })
    .greyscale()
    .raw()
    .toBuffer()

/** Whether nothing is painted in an area yet but its ground. */
const isBlank = async (area: Area, picture: Buffer) => {
  const values = await readArea(area, picture)
  return Math.max(...values) - Math.min(...values) < 40
}

/** The share of an area's pixels that differ clearly between two pictures. */
async function differenceIn(area: Area, one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([readArea(area, one), readArea(area, other)])
  let count = 0
  for (const [i, value] of a.entries()) if (Math.abs(value - b[i]!) > 60) count++
  return count / a.length
}

/** Letters in another font until theirs has come differ too, but not in so much. */
const SAME_FACE_MAX = 0.04

/** The frames that show something else in an area than the last picture, by their number; an area may be blank at first. */
export async function findOtherFaces(pictures: readonly Buffer[], last: Buffer, area: Area): Promise<number[]> {
  const differences = await Promise.all(
    pictures.map(async (picture) => ((await isBlank(area, picture)) ? 0 : differenceIn(area, picture, last))),
  )
  return differences.flatMap((difference, index) => (difference > SAME_FACE_MAX ? [index] : []))
}
