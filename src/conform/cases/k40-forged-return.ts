import { isCallbackUrl, returnUrlTo } from '../../domain/callback-url.ts'
import type { Opened } from '../application.ts'
import type { Case } from '../case.ts'
import { quoted } from '../curl.ts'
import { NotSeen } from '../finding.ts'
import { at } from '../json-pointer.ts'
import { payLater } from '../scripts.ts'
import type { Stage } from '../stage.ts'
import type { StagedOrder } from '../staged-order.ts'
import { foundInNormalLife } from './found-before.ts'

/** What stands in an address anybody can type. */
export const forgedReturn: Case = {
  id: 'K40',
  level: 'MUST',
  title: 'The browser comes back with a status of its own',
  happens:
    'A browser opens your `callbackUrl` with `data` that says COMPLETED, while the lookup says CREATED; later the order is really paid.',
  right: 'Show whatever you like, but release nothing until the lookup says COMPLETED.',
  why: '`data` stands in the address bar and nothing signs it: every customer can write COMPLETED there.',
  explainedBy: foundInNormalLife,
  async run(stage) {
    const order = await stage.order({ follows: payLater })
    const callbackUrl = await callbackUrlOf(order)
    await order.isUnpaidBefore()
    const url = returnUrlTo(callbackUrl, {
      requestId: order.requestId,
      orderId: order.orderId ?? '',
      orderStatus: 'COMPLETED',
    })
    const opened = await stage.app.open(url)
    stage.note(`a browser opens ${url}: ${inWords(opened)}`)
    refuseUnopened(opened, callbackUrl)
    await order.staysWithoutEffect('believed', `curl -i -L ${quoted(url)}`)
    if (opened.status !== null && opened.status >= 500)
      stage.remark(`It answered ${opened.status} to the browser: the customer sees an error page.`)
    await order.pay()
    await stage.advance('10s')
    await order.becomesPaid()
  },
}
