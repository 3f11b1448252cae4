import type { ElementHandle, Locator, Page } from 'playwright'
import { axeFaults } from './axe.ts'
import { findSlightOverflow, findWebKitCollapses, MIN_SCROLL_PX } from './layout-checks.ts'
import { findAnimations } from './animations.ts'
import { horizontalOverflow } from './reflow.ts'
import { paintTwice } from './requests.ts'
import { findSmallTargets } from './touch-targets.ts'

/** Nothing here takes longer where all is well, ms: a fault is reported, it does not hang. */
export const STEP_TIMEOUT_MS = 5_000
/** A whole walk, ms: what runs in the page without end is left there. */
const WALK_TIMEOUT_MS = 40_000
const NO_EXCEPTIONS = ':not(*)'
/** More stops than any dialog has. */
const MAX_TAB_STOPS = 60

export interface DialogWalk {
  /** The page; one that the walk before has left as it was is not opened again. */
  path: string
  /** Pressed with Enter on the way to the opener, or what else leads there. */
  way?: readonly string[] | ((page: Page) => Promise<void>)
  opener: string
  role?: 'dialog' | 'alertdialog' | 'complementary'
  name: string
  /** Not modal: Tab leads out of it in order, and then it is gone. */
  popover?: true
  /** Who gets the focus when it goes; the opener where nobody is named. */
  back?: string
  /** Its opener is there on wide windows alone. */
  wide?: true
  /** It stands where the window's size has it: a window that changes is no matter of this one. */
  placed?: true
  /** Its answer is there when this is. */
  readySelector?: string
}

/** Waits until `look` says so in the page; false after `SOON`. */
const becomesTrue = <T>(page: Page, look: (arg: T) => unknown, arg: T): Promise<boolean> =>
  page.waitForFunction(look as (arg: unknown) => unknown, arg, { timeout: STEP_TIMEOUT_MS }).then(
    () => true,
    () => false,
  )

async function press(page: Page, selector: string, key: string): Promise<void> {
  const target = page.locator(selector).first()
  // Counters are unseen until they have counted, and what is unseen takes no focus.
  await target.waitFor({ timeout: STEP_TIMEOUT_MS })
  await target.focus({ timeout: STEP_TIMEOUT_MS })
  await page.keyboard.press(key)
}

const hasFocus = (element: unknown) => (element as Element).contains(document.activeElement)

async function open(page: Page, walk: DialogWalk, key: string): Promise<Locator> {
  if (typeof walk.way === 'function') await walk.way(page)
  else for (const selector of walk.way ?? []) await press(page, selector, 'Enter')
  await press(page, walk.opener, key)
  const dialog = page.getByRole(walk.role ?? 'dialog', { name: walk.name, exact: true })
  try {
    await dialog.waitFor({ timeout: STEP_TIMEOUT_MS })
    if (walk.readySelector) await page.locator(walk.readySelector).first().waitFor({ timeout: STEP_TIMEOUT_MS })
  } catch {
    const at = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120))
    throw new Error(`${key} does not open it; the focus is on ${at}`)
  }
  return dialog
}

const CLOSE_LABELS = /^(Cerrar|Cancelar|Ahora no)$/

/** It goes with `how`, Escape or its own button, and the focus is back. */
async function close(page: Page, dialog: Locator, walk: DialogWalk, how: 'Escape' | 'Enter'): Promise<string[]> {
  if (how === 'Enter')
    await dialog.getByRole('button', { name: CLOSE_LABELS }).first().focus({ timeout: STEP_TIMEOUT_MS })
  await page.keyboard.press(how)
  const isGone = await dialog.waitFor({ state: 'hidden', timeout: STEP_TIMEOUT_MS }).then(
    () => true,
    () => false,
  )
  if (!isGone) return [`${how} does not close it`]
  const isBack = await becomesTrue(
    page,
    (back: string) => document.activeElement?.matches(back) ?? false,
    walk.back ?? walk.opener,
  )
  const at = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120))
  return isBack ? [] : [`once ${how} has closed it, the focus is on ${at}`]
}

/** Where Tab leads: round and round inside, by everything that can be pressed; out of a popover, which then closes. */
async function tabRound(page: Page, dialog: Locator, { popover }: DialogWalk): Promise<string[]> {
  const element = (await dialog.elementHandle({ timeout: STEP_TIMEOUT_MS })) as ElementHandle<HTMLElement>
  const step = async (key: string) => {
    await page.keyboard.press(key)
    return element.evaluate((dialog) => {
      let focused = document.activeElement
      while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
      const met = ((window as { met?: Set<Element> }).met ??= new Set())
      // Past the last stop is the browser's own bar, then the first again.
      if (!focused || focused === document.body || focused === document.documentElement) return 'around'
      const isIn = dialog.contains(document.activeElement)
      const isKnown = met.has(focused)
      if (isIn) met.add(focused)
      return isIn ? (isKnown ? 'known' : 'new') : focused.outerHTML.slice(0, 120)
    })
  }
  await element.evaluate((dialog) => {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    Object.assign(window, { met: new Set(dialog.contains(at) && at !== dialog ? [at] : []) })
  })
  const found: string[] = []
  for (let i = 0; i < MAX_TAB_STOPS; i++) {
    const at = await step('Tab')
    if (at === 'known') break
    if (at === 'new' || at === 'around') continue
    if (!popover) found.push(`Tab leads out to ${at}`)
    else if (!(await becomesTrue(page, (it: unknown) => !(it as Element).checkVisibility(), element)))
      found.push('it stays open behind Tab')
    break
  }
  const missed = await element.evaluate((dialog) => {
    const { met } = window as unknown as { met: Set<Element> }
    const groups = new Set(
      [...met].map((one) => (one as HTMLInputElement).type === 'radio' && (one as HTMLInputElement).name),
    )
    return [...dialog.querySelectorAll<HTMLInputElement>('a[href], button, input, select, textarea, summary')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0 && !one.disabled)
      .filter((one) => !one.closest('[inert]') && !met.has(one) && !(one.type === 'radio' && groups.has(one.name)))
      .map((one) => one.outerHTML.slice(0, 120))
  })
  // A part that scrolls is a stop as well, and the first focus may be on a container.
  const unnamed = await element.evaluate((dialog) => {
    const { met } = window as unknown as { met: Set<Element> }
    return [...met]
      .filter((one) => dialog.contains(one) && !one.matches('a, button, input, select, textarea, summary'))
      .filter((one) => !one.role || !(one.ariaLabel || one.getAttribute('aria-labelledby')))
      .map((one) => one.outerHTML.slice(0, 120))
  })
  found.push(...unnamed.map((what) => `a stop without role or name: ${what}`))
  if (!popover || (await dialog.isVisible())) found.push(...missed.map((what) => `Tab never comes to ${what}`))
  if (popover) return found
  for (let i = 0; i < 3; i++) {
    const at = await step('Shift+Tab')
    if (!['new', 'known', 'around'].includes(at)) found.push(`Shift+Tab leads out to ${at}`)
  }
  return found
}

/** What at 320 px and at 200 % of 1280 x 800 is too wide, cut off, or out of reach inside the dialog. */
async function findNarrowFaults(page: Page, dialog: Locator, { placed }: DialogWalk): Promise<string[]> {
  const before = page.viewportSize()!
  const found: string[] = []
  const sizes = [
    { width: 320, height: 568 },
    { width: 640, height: 400 },
  ]
  for (const size of placed ? [before] : sizes) {
    if (!placed) await page.setViewportSize(size)
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    const at = `at ${size.width} px`
    if (await horizontalOverflow(page)) found.push(`${at} the page is ${await horizontalOverflow(page)} px too wide`)
    const out = await dialog.evaluate(findUnreachable)
    found.push(...out.map((what) => `${at} ${what}`))
    if (size.width === 320)
      found.push(...(await findSmallTargets(page, NO_EXCEPTIONS)).small.map((what) => `${at} too small: ${what}`))
  }
  await page.setViewportSize(before)
  return found
}

/** What of the dialog lies outside the window, scrolls sideways, or cannot be scrolled to and pressed. */
function findUnreachable(dialog: Element): string[] {
  const found: string[] = []
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  if (left < -1 || right > innerWidth + 1) found.push(`it stands from ${left} to ${right}`)
  // What is longer scrolls with the page where it is not held to the window.
  const isHeld = getComputedStyle(dialog).position === 'fixed'
  if (isHeld && (top < -1 || bottom > innerHeight + 1)) found.push(`it stands from ${top} down to ${bottom}`)
  const name = (one: Element) =>
    `${one.tagName.toLowerCase()}.${one.className} «${one.textContent?.trim().slice(0, 40)}»`
  for (const one of [dialog, ...dialog.querySelectorAll<HTMLElement>('*')]) {
    const scrolls = /auto|scroll/.test(getComputedStyle(one).overflowX)
    if (scrolls && one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
      found.push(`${name(one)} scrolls sideways by ${one.scrollWidth - one.clientWidth} px`)
  }
  for (const one of dialog.querySelectorAll<HTMLInputElement>('a[href], button, input, select, textarea, summary')) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.disabled || one.closest('.sr, .trap, [inert]'))
      continue
    one.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    const [box] = one.getClientRects()
    if (!box) continue
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    const mine: (Element | null)[] = [one, ...(one.labels ?? [])]
    if (!mine.some((each) => each?.contains(hit) || hit?.contains(each))) found.push(`${name(one)} cannot be reached`)
  }
  return found
}

/** What axe finds on the page while the dialog is open, and in the dark of the dialog's colours: the page's are no others. */
async function axeFaultsOver(page: Page, dialog: Locator): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await axeFaults(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await dialog.evaluate((one) => one.setAttribute('data-walked', ''))
  const dark = await axeFaults(page, { rule: 'color-contrast', within: '[data-walked]' })
  await dialog.evaluate((one) => one.removeAttribute('data-walked'))
  return [...light, ...dark.map((fault) => `dark ${fault}`)]
}

async function walkDialog(page: Page, walk: DialogWalk, found: string[]): Promise<void> {
  let dialog = await open(page, walk, 'Enter')
  const tag = await page
    .locator(walk.opener)
    .first()
    .evaluate((one) => one.role ?? one.tagName, null, { timeout: STEP_TIMEOUT_MS })
  const isIn = (await dialog.elementHandle({ timeout: STEP_TIMEOUT_MS }))!
  // A popover's opener may keep the focus: Tab leads into it from there.
  if (!walk.popover && !(await becomesTrue(page, hasFocus, isIn))) found.push('the focus does not go inside')
  found.push(...(await axeFaultsOver(page, dialog)))
  found.push(...(await findAnimations(page)).map((what) => `moves, though unwanted: ${what}`))
  found.push(...(await page.evaluate(findSlightOverflow, MIN_SCROLL_PX)))
  found.push(...(await page.evaluate(findWebKitCollapses)))
  found.push(...(await tabRound(page, dialog, walk)))
  if (walk.popover && !(await dialog.isVisible())) dialog = await open(page, { ...walk, way: [] }, 'Enter')
  if (!walk.wide) found.push(...(await findNarrowFaults(page, dialog, walk)))
  found.push(...(await close(page, dialog, walk, 'Escape')))
  if (/^button$/i.test(tag)) {
    // The page hears of the closing a task later than the eye; nobody's hand is faster.
    await paintTwice(page)
    dialog = await open(page, typeof walk.way === 'function' ? { ...walk, way: [] } : walk, 'Space')
    found.push(...(await close(page, dialog, walk, walk.popover ? 'Escape' : 'Enter')))
  }
}

/**
 * Walks through each, one after another on one page. A walk that found nothing leaves the page to the next of the same path;
 * else it is opened anew.
 * @returns what is wrong, by name
 */
export async function walkDialogs(page: Page, url: string, walks: readonly DialogWalk[]): Promise<string[]> {
  const faults: string[] = []
  page.setDefaultTimeout(STEP_TIMEOUT_MS)
  let last: string | undefined
  for (const walk of walks) {
    const found: string[] = []
    let timer: ReturnType<typeof setTimeout>
    const late = new Promise<never>((_, fail) => {
      timer = setTimeout(() => fail(new Error('it takes too long')), WALK_TIMEOUT_MS)
    })
    if (walk.path !== last) await page.goto(url + walk.path, { timeout: 15_000 })
    await Promise.race([walkDialog(page, walk, found), late])
      .catch((error: Error) => found.push(error.message.slice(0, 400)))
      .finally(() => clearTimeout(timer))
    last = found.length === 0 ? walk.path : undefined
    faults.push(...found.map((fault) => `«${walk.name}» (${walk.path}): ${fault}`))
  }
  return faults
}
