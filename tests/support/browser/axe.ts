import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CDPSession, Page } from 'playwright'

/** WCAG 2.2, A and AA, and axe's best practices. Named by tag, because target-size is off unless its tag is asked for. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface AxeOptions {
  /** A rule's id, where nothing else can have changed since the last run. */
  rule?: string
  /** Checks only what this CSS selector matches. */
  within?: string
}

/** Chromium reads it in half the time without its comments, and in half of that where it is not an argument of `page.evaluate`. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const sessions = new WeakMap<Page, CDPSession>()

async function inject(page: Page): Promise<void> {
  if (!sessions.has(page)) sessions.set(page, await page.context().newCDPSession(page))
  const { exceptionDetails } = await sessions.get(page)!.send('Runtime.evaluate', { expression: `${SOURCE};0` })
  if (exceptionDetails) throw new Error(`axe did not start: ${exceptionDetails.text}`)
}

/**
 * What axe finds on the page as it stands, as «rule: the elements». axe runs in the page itself: `AxeBuilder` injects its
 * half megabyte anew and opens a second page at each run, which takes four times as long.
 */
export async function axeFaults(page: Page, { rule, within }: AxeOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await inject(page)
  const runOnly = rule ? [rule] : AXE_TAGS
  return page.evaluate(
    async ([selector, only]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(selector ?? document, {
        runOnly: only,
        // Passed rules are not described element by element.
        resultTypes: ['violations'],
        iframes: false,
      })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
    },
    [within ?? null, runOnly] as const,
  )
}

/** What axe finds in light and in dark: of the second only the colours, which are all that differ. */
export async function axeFaultsInBothThemes(
  page: Page,
  { within }: Pick<AxeOptions, 'within'> = {},
): Promise<string[]> {
  const part = within === undefined ? {} : { within }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await axeFaults(page, part)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const dark = await axeFaults(page, { ...part, rule: 'color-contrast' })
  return [...light, ...dark.map((fault) => `dark ${fault}`)]
}
