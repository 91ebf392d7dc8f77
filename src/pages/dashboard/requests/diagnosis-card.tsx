import type { z } from 'zod'
import type { journalEntry } from '../../../control/shapes/request.ts'
import { causeTable } from '../../../domain/diagnosis/causes.ts'
import { Inline } from '../../reference/prose.tsx'
import { Curl } from '../form.tsx'
import type { Shell } from '../view.ts'
import { linkToCause } from './causes-page.tsx'
import { DifferenceView, VisibleText } from './difference-view.tsx'

type Entry = z.output<typeof journalEntry>

const causes: ReadonlyMap<string, readonly [means: string, todo: string]> = new Map(
  Object.entries(causeTable),
)

/** Why a request was refused: what is wrong, where, what to do. */
export function DiagnosisCard({ shell, entry: { diagnosis } }: { shell: Shell; entry: Entry }) {
  if (diagnosis === null) return null
  const { cause, message, stringToSign, signedString } = diagnosis
  const [means, todo] = causes.get(cause) ?? ['', '']
  return (
    <section class="card diagnosis" aria-labelledby="diagnosis">
      <h2 id="diagnosis">
        Refused: <a href={linkToCause(shell, cause)}>{cause}</a>
      </h2>
      <p class="gist">
        <Inline text={message} />
      </p>
      <dl class="remedy">
        <dt>Meaning</dt>
        <dd>
          <Inline text={means} />
        </dd>
        <dt>Fix</dt>
        <dd>
          <Inline text={todo} />
        </dd>
      </dl>
      {stringToSign === undefined ? null : (
        <Strings wanted={stringToSign} signed={signedString} cause={cause} />
      )}
    </section>
  )
}

function Strings({ wanted, signed, cause }: { wanted: string; signed: string | undefined; cause: string }) {
  const isSame = signed === wanted
  // A key is only found out by trying it on the right string.
  const isKey = cause.startsWith('signature.key-')
  return (
    <>
      <h3>
        {signed === undefined || isSame ? 'The string to sign' : 'First difference between the strings'}
      </h3>
      {signed === undefined || isSame ? (
        <VisibleText text={wanted} id="string-to-sign" />
      ) : (
        <DifferenceView wanted={wanted} signed={signed} />
      )}
      {isSame ? <p class="hint">You signed the same string: the mistake is elsewhere.</p> : null}
      {signed !== undefined ? null : (
        <p class="hint">
          {isKey
            ? 'The string was right, but the key was wrong.'
            : 'The string that you signed could not be determined.'}
        </p>
      )}
      <Curl id="string-to-copy" text={wanted} name="the string to sign, to copy" />
    </>
  )
}
