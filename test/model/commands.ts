import fc from 'fast-check'
import { type Command, commandsOf } from './command.ts'
import { advance, advanceAll, advanceApart } from './commands/advance.ts'
import { answer } from './commands/answer.ts'
import { cancel } from './commands/cancel.ts'
import { create } from './commands/create.ts'
import { createSeveral } from './commands/create-several.ts'
import { duringAdvance, duringCreate } from './commands/during.ts'
import { planFault, removeFaults } from './commands/fault.ts'
import { hold, release } from './commands/hold.ts'
import { make } from './commands/make.ts'
import { pay } from './commands/pay.ts'
import { payOnPage } from './commands/payment-page.ts'
import { refund } from './commands/refund.ts'
import { resend } from './commands/resend.ts'
import { reset } from './commands/reset.ts'
import { crash, crashBeforeRelease, endAfter, endInAdvance, restart } from './commands/restart.ts'
import { restore } from './commands/restore.ts'
import { settings } from './commands/settings.ts'
import { simulate } from './commands/simulate.ts'
import { removeUrl, setUrl } from './commands/webhook-url.ts'

/** All that can happen. A new feature joins by a line here, a file in `commands/`, and what the model says to it. */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  commandsOf(create),
  commandsOf(createSeveral),
  commandsOf(make),
  commandsOf(advance),
  commandsOf(advanceAll),
  commandsOf(advanceApart),
  commandsOf(setUrl),
  commandsOf(removeUrl),
  commandsOf(answer),
  commandsOf(pay),
  commandsOf(payOnPage),
  commandsOf(refund),
  commandsOf(cancel),
  commandsOf(settings),
  commandsOf(simulate),
  commandsOf(duringCreate),
  commandsOf(duringAdvance),
  commandsOf(planFault),
  commandsOf(removeFaults),
  commandsOf(reset),
  commandsOf(hold),
  commandsOf(release),
  commandsOf(resend),
  commandsOf(restart),
  commandsOf(crash),
  commandsOf(crashBeforeRelease),
  commandsOf(endAfter),
  commandsOf(endInAdvance),
  commandsOf(restore),
)
