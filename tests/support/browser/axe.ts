import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

/** WCAG 2.2, A and AA, and axe's best practices. Named by tag, because target-size is off unless its tag is asked for. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What axe finds on the page as it stands, as «rule: the elements».
 * @param only a rule's id, where nothing else can have changed since the last look
 */
export async function axeFaults(page: Page, only?: string): Promise<string[]> {
  // There are no frames to look into, and without them no second page is opened for every look.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (only ? axe.withRules(only) : axe.withTags(AXE_TAGS)).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
}

/** What axe finds in light and in dark: of the second only the colours, which are all that differ. */
export async function axeFaultsInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await axeFaults(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  return [...light, ...(await axeFaults(page, 'color-contrast')).map((fault) => `dark ${fault}`)]
}
