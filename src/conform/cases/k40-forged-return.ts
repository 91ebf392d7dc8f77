import { returnUrlTo } from '../../domain/order/payment-urls.ts'
import { exactUrl } from '../../domain/text/shell.ts'
import { browserReturns, callbackUrlOf } from '../acts/browser-return.ts'
import type { Opened } from '../application/application.ts'
import type { Case } from '../case.ts'
import { Finding, NotSeen } from '../finding.ts'
import { payLater } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import { foundInNormalLife } from './found-before.ts'

export const forgedReturn: Case = {
  id: 'K40',
  level: 'MUST',
  sideBySide: true,
  title: 'The browser returns with a forged status',
  happens:
    'A browser opens your `callbackUrl` with `data` that says COMPLETED, while the lookup says CREATED. Later the order is really paid, and the page is opened twice.',
  right: 'Show any page, but do not fulfil until the lookup says COMPLETED, and then fulfil once.',
  why: '`data` is part of the URL and is not signed: every customer can write COMPLETED there.',
  explainedBy: foundInNormalLife,
  async run(stage) {
    const order = await stage.order({ follows: payLater })
    const callbackUrl = await callbackUrlOf(order)
    await stage.settle()
    await order.isUnpaidBefore()
    const url = returnUrlTo(callbackUrl, {
      requestId: order.requestId,
      orderId: order.orderId ?? '',
      orderStatus: 'COMPLETED',
    })
    const opened = await stage.app.open(url)
    stage.note(`a browser opens ${url} (its data says COMPLETED): ${inWords(opened)}`)
    await withCurl(`curl -i -L ${exactUrl(url)}`, () => order.staysWithoutEffect('believed'))
    refuseUnopened(opened, callbackUrl)
    remarkOn(opened, stage)
    await order.pay()
    await stage.advanceAtLeast('10s')
    await order.becomesPaid()
    // Opens the return URL again: a customer may reload the page.
    await browserReturns(order, stage)
    await browserReturns(order, stage)
    await order.staysPaid()
  },
}

/** Requires that the page was opened, without a login. Otherwise it says nothing about the application.
 *  @throws NotSeen */
function refuseUnopened({ status, error }: Opened, callbackUrl: string): void {
  if (error !== null) throw new NotSeen(`the \`callbackUrl\` ${callbackUrl} could not be opened: ${error}`)
  if (status !== null && [401, 403, 404, 405].includes(status))
    throw new NotSeen(
      `the \`callbackUrl\` ${callbackUrl} was answered ${status}, so there is no page to check`,
    )
}

function remarkOn({ status, scripts }: Opened, stage: Stage): void {
  if (status !== null && status >= 500)
    stage.remark(`It answered ${status} to the browser: the customer sees an error page.`)
  if (scripts)
    stage.remark('The page has scripts, which were not run, so what they do with `data` is not observable.')
}

async function withCurl(curl: string, look: () => Promise<void>): Promise<void> {
  try {
    await look()
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    const did = `After a browser had returned with COMPLETED: ${error.words.did}`
    throw new Finding({ ...error.words, did, curl })
  }
}

const inWords = ({ status, error }: Opened): string =>
  error ?? (status === null ? 'opened' : `answered ${status}`)
