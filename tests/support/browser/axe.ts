import axe from 'axe-core'
import type { Page } from 'playwright'

/** WCAG 2.2, A and AA, and axe's best practices. Named by tag, because target-size is off unless its tag is asked for. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface AxeOptions {
  /** A rule's id, where nothing else can have changed since the last run. */
  rule?: string
  /** Checks only what this CSS selector matches. */
  within?: string
}

/**
 * What axe finds on the page as it stands, as «rule: the elements». axe runs in the page itself: `AxeBuilder` injects its
 * half megabyte anew and opens a second page at each run, which takes four times as long.
 */
export async function axeFaults(page: Page, { rule, within }: AxeOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
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
