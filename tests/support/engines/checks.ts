import {
  findSlightOverflow,
  findWrappedHeaderParts,
  MIN_LETTERS_PER_LINE,
  MIN_SCROLL_PX,
  findBrokenWords,
} from '#tests/support/browser/layout-checks.ts'
import type { Engine } from './engine.ts'

/** Lower, and nobody can read what scrolls in a dialog, CSS px. */
const MIN_SCROLLER_PX = 200
/** Lower, and a place of the album is a line, CSS px. */
const MIN_STICKER_PX = 50
/** So long after the first photos are painted, the lazy ones of the first screen are there, ms; the machine may be busy. */
const LAZY_PHOTOS_TIMEOUT_MS = 8000

/** Scrollers of open dialogs that are too low. */
function lowScrollers(least: number): string[] {
  return [...document.querySelectorAll<HTMLElement>('dialog[open] *, dialog[open]')].flatMap((one) => {
    const { overflowY } = getComputedStyle(one)
    if ((overflowY !== 'auto' && overflowY !== 'scroll') || !one.checkVisibility()) return []
    // One that shows all it has needs no more.
    if (one.clientHeight >= least || one.scrollHeight <= one.clientHeight) {
      const isEmpty = one.clientHeight === 0 && one.childElementCount > 0
      return isEmpty ? [`${one.className}: 0 px high`] : []
    }
    return [`${one.className}: ${one.clientHeight} px of ${one.scrollHeight}`]
  })
}

function lowStickers(least: number): string[] {
  return [...document.querySelectorAll<HTMLElement>('.place .hole, .slot, .mini')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < least)
    .map((one) => `${one.className}: ${one.getBoundingClientRect().height} px`)
}

/** Lazy photos of the first screen that cannot be seen yet. */
function findLatePhotos(): string[] {
  return [...document.querySelectorAll<HTMLImageElement>('main img[loading=lazy]')]
    .filter((one) => {
      const { top } = (one.parentElement ?? one).getBoundingClientRect()
      return (
        top < innerHeight &&
        top >= 0 &&
        !(one.complete && one.naturalWidth > 0 && one.getBoundingClientRect().width > 0)
      )
    })
    .map((one) => one.currentSrc || one.src)
}

/** What is wrong with the layout of what is shown now, named by `where`. */
export async function layoutFaults(engine: Engine, where: string): Promise<string[]> {
  const found = [
    ...(await engine.run(findSlightOverflow, MIN_SCROLL_PX)),
    ...(await engine.run(findWrappedHeaderParts)),
    ...(await engine.run(findBrokenWords, MIN_LETTERS_PER_LINE)),
    ...(await engine.run(lowScrollers, MIN_SCROLLER_PX)).map((what) => `a dialog's scroller is too low, ${what}`),
    ...(await engine.run(lowStickers, MIN_STICKER_PX)).map((what) => `a place of the album is too low, ${what}`),
  ]
  const wide = await engine.run(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (wide > 0) found.push(`the page is ${wide} px too wide`)
  return found.map((what) => `${where}: ${what}`)
}

/** The lazy photos of the first screen that are not there LAZY_PHOTOS_TIMEOUT_MS after those before them were painted. */
export async function latePhotoFaults(engine: Engine): Promise<string[]> {
  let since: number | undefined
  for (;;) {
    if (await engine.run(() => document.documentElement.dataset.painted === '')) since ??= Date.now()
    const late = since === undefined ? [] : await engine.run(findLatePhotos)
    if (since !== undefined && late.length === 0) return []
    if (since !== undefined && Date.now() - since > LAZY_PHOTOS_TIMEOUT_MS)
      return late.map((src) => `not there ${Date.now() - since!} ms after the first were painted: ${src}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}
