import type { PageState } from '../../../domain/order/payer-page.ts'

/** The heading and the text of a page. */
interface Said {
  readonly title: string
  readonly text: string
}

/** All texts of the payment page in one language. */
export interface Words {
  readonly test: Said
  readonly toPay: string
  readonly amount: string
  readonly pay: (amount: string) => string
  readonly subscribe: string
  readonly decline: string
  readonly declined: Said
  readonly errorCode: string
  readonly leave: string
  /** The text after the payer chose to wait. */
  readonly wait: {
    readonly title: string
    /** N12: at its expiry the order stays, fails, or is abandoned. */
    readonly keep: string
    readonly fail: string
    readonly abandon: string
    /** The text that says that the scenario continues before the payment. */
    readonly goesOn: string
  }
  readonly method: string
  readonly validUntil: string
  readonly timeLeft: string
  readonly clockStands: string
  readonly clockRuns: (times: string) => string
  readonly interval: string
  readonly every: Readonly<Record<'DAILY' | 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'YEARLY', string>>
  readonly trial: string
  readonly app: Said
  readonly appUrl: string
  readonly targetApp: string
  readonly device: string
  readonly ends: Readonly<Record<Exclude<PageState, 'open'>, Said>>
  /** Replaces `ends` for a paid order without further steps, or an ABANDONED one. */
  readonly nothingMore: string
  readonly abandonedThough: Said
  readonly backToShop: string
  readonly noWayBack: string
  readonly wrongWayBack: string
  readonly tooLate: string
  readonly lookAgain: string
  readonly details: string
}
