import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']

/** The rules about colours; all other results are the same in both colour schemes. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

/** Runs axe in light and dark colours: one line per violation. */
export async function violationsIn(
  page: Page,
  inColours: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<string[]> {
  const found: string[] = []
  for (const [index, colours] of inColours.entries()) {
    await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' })
    // The first of them puts axe into the page, where it stays.
    const axe = new AxeBuilder({ page, ...(index > 0 && { axeSource: ';' }) }).setLegacyMode()
    // To describe what is in order takes three times as long as all else: thousands of elements on some pages.
    axe.options({ resultTypes: ['violations'] })
    const { violations } = await (index === 0 ? axe.withTags(tags) : axe.withRules(rulesOfColours)).analyze()
    for (const { id, help, nodes } of violations) {
      const where = nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`)
      found.push(`${colours}: ${id}: ${help}: ${where.join('; ')}`)
    }
  }
  return found
}
