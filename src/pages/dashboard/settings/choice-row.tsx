import type { z } from 'zod'
import type { choice as choiceShape } from '../../../control/shapes/choice.ts'
import type { settingsAnswer } from '../../../control/shapes/settings.ts'
import { Inline } from '../../reference/prose.tsx'
import type { ActionSpec } from '../action.ts'
import { Act, refusalOf } from '../form.tsx'
import type { Shell } from '../view.ts'
import { fieldOf, type Setting, shownValue } from './setting-field.ts'

/** Where values come from. */
export interface SettingSources {
  readonly from: z.output<typeof settingsAnswer>['from']
  /** What was set in the layer that is changed here. */
  readonly set: Readonly<Record<string, unknown>>
  /** The values of all clients, while the page is about one. */
  readonly common: Readonly<Record<string, unknown>> | null
}

/** One choice: what is open, what is done about it and why, and the settings that change it. */
export function ChoiceRow({
  choice: { n, open, choice, reason, settings },
  shell,
  sources,
}: {
  choice: z.output<typeof choiceShape>
  shell: Shell
  sources: SettingSources
}) {
  return (
    <article class="choice" id={n} aria-labelledby={`${n}-title`}>
      <div class="choice-words">
        <h3 id={`${n}-title`}>
          <a class="choice-number" href={`#${n}`}>
            {n}
          </a>{' '}
          <Inline text={open} />
        </h3>
        <p>
          <Inline text={choice} />
        </p>
        <p class="hint">
          Why: <Inline text={reason} />
        </p>
      </div>
      <div class="choice-settings">
        {settings.length === 0 ? (
          <p class="hint">Fixed: there is no setting for it.</p>
        ) : (
          settings.map((setting) => <SettingBox n={n} setting={setting} shell={shell} sources={sources} />)
        )}
      </div>
    </article>
  )
}

interface BoxProps {
  readonly n: string
  readonly setting: Setting
  readonly shell: Shell
  readonly sources: SettingSources
}

function SettingBox({ n, setting, shell, sources }: BoxProps) {
  const { name, value, default: fallback, scope } = setting
  const { from, common } = sources
  const forAll = common?.[name]
  return (
    <div class="setting">
      <p>
        <code>{name}</code> <Source of={from[name]} shell={shell} />
      </p>
      <p class="setting-value">
        <code>{shownValue(value)}</code>
      </p>
      {Object.hasOwn(from, name) ? <p class="hint">Default: {shownValue(fallback)}.</p> : null}
      {common !== null && shownValue(forAll) !== shownValue(value) ? (
        <p class="hint">For all clients: {shownValue(forAll)}.</p>
      ) : null}
      {scope === 'common' && shell.clientId !== undefined ? (
        <p class="hint">
          Applies to all clients: <a href={`/_emulator/ui/settings#${n}`}>change it there</a>.
        </p>
      ) : (
        <Change n={n} setting={setting} shell={shell} sources={sources} />
      )}
    </div>
  )
}

function Change({ n, setting, shell, sources }: BoxProps) {
  const { name } = setting
  const action: ActionSpec = { method: 'PATCH', path: '/settings', query: { clientId: shell.clientId } }
  const field = fieldOf(setting)
  const id = `set-${name.replaceAll('.', '-')}-${n}`
  return (
    <details class="change" id={`${id}-change`} open={refusalOf(shell, action, [field]) !== null}>
      <summary>Change</summary>
      <Act shell={shell} id={id} at={n} action={action} label="Set" look="primary" fields={[field]} />
      {Object.hasOwn(sources.set, name) ? (
        <Act
          shell={shell}
          id={`${id}-default`}
          at={n}
          action={{ ...action, body: { [name]: null } }}
          label="Reset to the default"
        />
      ) : null}
    </details>
  )
}

function Source({
  of,
  shell: { clientId },
}: {
  of: SettingSources['from'][string] | undefined
  shell: Shell
}) {
  if (of === undefined) return <span class="faint">default</span>
  const words = { start: 'set at the start', common: 'set for all clients', client: `set for ${clientId}` }
  return <span class="status waiting">{words[of]}</span>
}
