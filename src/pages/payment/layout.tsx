import type { Child } from 'hono/jsx'
import type { Language } from './language.ts'

/** What stands around every page here: that it is a test, in words that nobody takes for a real payment page.
 *  @param assets where stylesheets and scripts are, seen from the page's address
 *  @param refresh when a browser without scripts asks again, and where; null for never */
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
