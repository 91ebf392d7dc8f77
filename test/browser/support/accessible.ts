import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']

/** What axe finds wrong with a page in light and in dark colours: one line each, none if all is well. */
export async function violationsIn(
  page: Page,
  inColours: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<string[]> {
  const found: string[] = []
  for (const colours of inColours) {
    await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(rules).analyze()
    for (const { id, help, nodes } of violations) {
      const where = nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`)
      found.push(`${colours}: ${id}: ${help}: ${where.join('; ')}`)
    }
  }
  return found
}
