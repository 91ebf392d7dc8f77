import type { Child } from 'hono/jsx'
import type { PageState } from '../../domain/order/payer-page.ts'
import type { Language } from './language.ts'

/** The sign above a page without a payment. It is drawn, because not every font has such signs. */
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

/** The frame of every page, which marks it as a test that cannot be taken for a real payment page.
 *  @param assets the path of stylesheets and scripts, relative to the page
 *  @param refresh when and where a browser without scripts reloads; null for never */
export function Layout({
  language: { code, words },
  assets,
  title,
  refresh,
  children,
}: {
  language: Language
  assets: string
  title: string
  refresh: string | null
  children?: Child
}) {
  return (
    <html lang={code}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${words.test.title}`}</title>
        <link rel="icon" href={`${assets}/icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${assets}/pages.css`} />
        <script src={`${assets}/payment.js`} defer />
        {refresh !== null && (
          <noscript>
            <meta http-equiv="refresh" content={refresh} />
          </noscript>
        )}
      </head>
      <body class="payment">
        <header class="payment-test">
          <p>
            <strong>{words.test.title}</strong> <span>{words.test.text}</span>
          </p>
        </header>
        {children}
        <footer class="payment-foot">payment-order-emulator</footer>
      </body>
    </html>
  )
}
