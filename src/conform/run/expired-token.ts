import type { CaseId } from '../report.ts'
import type { Stage } from '../stage/stage.ts'

const aboutTokens: readonly CaseId[] = ['K30', 'K31']

/** Whether an application got nowhere because its access token has expired, since clocks were moved on, and it has got
 *  no other. That is found by K30, and says nothing about any other case. */
export async function tokenRanOut(stage: Stage): Promise<boolean> {
  if (aboutTokens.includes(stage.id)) return false
  const calls = await stage.calls()
  const expired = calls.findLastIndex(({ diagnosis }) => diagnosis?.cause === 'token.expired')
  return expired !== -1 && !calls.slice(expired).some(({ status }) => status === 200)
}
