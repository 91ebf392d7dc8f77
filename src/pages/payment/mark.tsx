import type { PageState } from '../../domain/payer-page.ts'

/** The sign above a page on which nothing can be paid. Drawn, because not every machine has a font with such signs. */
export function Mark({ of }: { of: Exclude<PageState, 'open'> | 'problem' }) {
  return (
    <p class="payment-mark">
      <svg class="payment-sign" viewBox="0 0 24 24" aria-hidden="true">
        <path d={paths[of]} />
      </svg>
    </p>
  )
}

const paths: Readonly<Record<Parameters<typeof Mark>[0]['of'], string>> = {
  paid: 'M6 12h.01M12 12h.01M18 12h.01',
  completed: 'M5 12.5l4.5 4.5L19 7.5',
  failed: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  abandoned: 'M9 6l-5 5 5 5M4 11h10a5 5 0 0 1 0 10h-2',
  expired: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7.5V12l3 2',
  charged: 'M20 12a8 8 0 1 1-2.3-5.6M20 3.5v4h-4',
  'no-payer': 'M6 12h12',
  problem: 'M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.1M12 17.5h.01',
}
