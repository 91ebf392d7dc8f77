import type * as z from 'zod'
import { type choice, choice as choiceShape, settingsAnswer } from '../../../control/shapes/settings.ts'
import type { ActionSpec } from '../../framework/action.ts'
import { allItems } from '../../framework/control-api.ts'
import { Filters } from '../../framework/filters.tsx'
import { Act, type Field, refusalOf } from '../../framework/form.tsx'
import { Empty } from '../../framework/parts.tsx'
import { type DashboardPage, linkTo, type Shell } from '../../framework/view.ts'
import { Inline } from '../../reference/prose.tsx'

/** A setting of `GET /choices`. */
type Setting = z.output<typeof choice>['settings'][number]

/** Returns the form field for a setting's values. */
function fieldOf({ name, value, default: fallback, allowed, values }: Setting): Field {
  const common = { name, label: name, hint: `Takes ${plain(allowed)}.`, required: true }
  if (values !== null) {
    const type = values.every((each) => typeof each === 'boolean') ? 'boolean' : 'text'
    return { ...common, type, value: String(value), options: values.map(String), hint: undefined }
  }
  if (typeof fallback === 'number') return { ...common, type: 'number', value: String(value) }
  if (isWordList(fallback) && isWordList(value))
    return { ...common, type: 'list', value: value.join(', '), hint: `${common.hint} Separated by commas.` }
  const isLong = fallback === null || typeof fallback === 'object' || typeof value === 'object'
  const rows = isLong && name !== 'publicBaseUrl' ? 6 : undefined
  return { ...common, type: 'value', value: value === null ? '' : written(value), rows }
}

/** A value as it is typed: texts unchanged, anything else as JSON. */
const written = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)

/** Formats a setting's value on one line. */
const shownValue = (value: unknown): string =>
  value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)

const isWordList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')

const plain = (text: string): string => text.replaceAll('`', '')

/** Where the settings page gets its values from. */
interface SettingSources {
  readonly from: z.output<typeof settingsAnswer>['from']
  /** The values of the level that the page changes. */
  readonly set: Readonly<Record<string, unknown>>
  /** The values for all clients, on the page of one client. */
  readonly common: Readonly<Record<string, unknown>> | null
}

/** One assumption: the open point, the behaviour with its reason, and the settings that change it. */
function ChoiceRow({
  choice: { n, open, choice, reason, example, settings },
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
          <Inline text={open} />{' '}
          <a class="choice-number" href={`#${n}`}>
            {n}
          </a>
        </h3>
        <p>
          <Inline text={choice} />
        </p>
        <p class="hint">
          Why: <Inline text={reason} />
        </p>
        {example === null ? null : (
          <details>
            <summary>An example by these settings</summary>
            <pre tabindex={0}>
              <code>
                {[
                  ...Object.entries(example.headers).map(([name, value]) => `${name}: ${value}`),
                  '',
                  example.body,
                ].join('\n')}
              </code>
            </pre>
          </details>
        )}
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
        <code>{name}</code> <Source of={from[name]} setting={setting} shell={shell} />
      </p>
      <p class="setting-value">
        <code>{shownValue(value)}</code>
      </p>
      {Object.hasOwn(from, name) ? <p class="hint">Default: {shownValue(fallback)}.</p> : null}
      {setting.learned === null ? null : (
        <p class="hint">
          Seen in {setting.learned.observations} observations: <Inline text={setting.learned.evidence} />.
        </p>
      )}
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
  setting: { learned },
  shell: { clientId },
}: {
  of: SettingSources['from'][string] | undefined
  setting: Setting
  shell: Shell
}) {
  if (learned !== null) return <span class="status good">learned on {learned.on}</span>
  if (of === undefined) return <span class="faint">default</span>
  const words = { start: 'set at the start', common: 'set for all clients', client: `set for ${clientId}` }
  return <span class="status waiting">{words[of]}</span>
}

/** Questions for the real provider before production, where a wrong assumption costs most. */
export const toCheck: readonly (readonly [n: string, question: string])[] = [
  ['N19', 'Which string is signed for a checkout: with the currency, or without?'],
  ['N22', 'Which path sets the webhook URL?'],
  ['N28', 'Which status and body answer invalid input?'],
  ['N11', 'When does an order expire, and which event is sent then (N12)?'],
  ['N36', 'What does the body of a webhook look like?'],
  ['N38', 'How can a receiver verify that a webhook is genuine?'],
  ['N44', 'How often, and for how long, is a webhook retried?'],
  ['N45', 'Which answers accept a webhook, and how fast must they be?'],
  ['N64a', 'Where do access tokens come from, and how long are they valid (N64b)?'],
  ['N55', 'Which data comes back with the browser, and is it signed?'],
]

type Choice = z.output<typeof choiceShape>

const path = '/ui/settings'

/** `/_emulator/ui/settings`: all assumptions with their reasons and settings. */
export const settingsPage: DashboardPage = {
  path,
  show: async ({ api, shell, query }) => {
    const { clientId } = shell
    const choices = await allItems(api, '/choices', choiceShape, { clientId })
    const common = clientId === undefined ? null : await api.get('/settings', settingsAnswer)
    const { from, settings } = await api.get('/settings', settingsAnswer, { clientId })
    const sources: SettingSources = { from, set: settings, common: common?.effective ?? null }
    const found = choices.filter((choice) => isSelected(choice, query, sources))
    const changed = Object.keys(from).length
    return {
      title: 'Settings',
      tools: <Tools shell={shell} query={query} changed={changed} />,
      body: (
        <div id="choices">
          {found.length === 0 ? (
            <Empty
              title={
                query.show === 'changed' && !query.q
                  ? 'All settings are at their defaults'
                  : 'Nothing matches'
              }
            >
              <p>
                <a href={linkTo(shell, path)}>Show all {choices.length} choices</a>
              </p>
            </Empty>
          ) : (
            groups.map((title) => (
              <Group
                title={title}
                choices={found.filter((each) => groupOf(each, sources) === title)}
                shell={shell}
                sources={sources}
              />
            ))
          )}
        </div>
      ),
    }
  },
}

function Tools({
  shell,
  query,
  changed,
}: {
  shell: Shell
  query: Readonly<Record<string, string | undefined>>
  changed: number
}) {
  return (
    <>
      <p class="lead">
        The API specification leaves these points open. For each the emulator makes an assumption, and you can
        change most of them.{' '}
        {shell.clientId === undefined ? (
          'Changes here apply to all clients.'
        ) : (
          <>
            Changes here apply only to <strong>{shell.clientId}</strong> alone.{' '}
            <a href={`/_emulator${path}`}>Change it for all clients</a>
          </>
        )}
      </p>
      <details class="card to-check" id="to-check">
        <summary>Ask the real service before production</summary>
        <p class="hint">
          These assumptions cost most if they are wrong. When you know the answer, set it here, and run your
          tests against it.
        </p>
        <ul>
          {toCheck.map(([n, question]) => (
            <li>
              <a href={`${linkTo(shell, path)}#${n}`}>{n}</a> {question}
            </li>
          ))}
        </ul>
      </details>
      <Filters
        shell={shell}
        path={path}
        filters={[
          { name: 'q', label: 'Search', value: query.q, placeholder: 'webhook, expiry, N19 …', wide: true },
          {
            name: 'show',
            label: 'Show',
            value: query.show,
            options: [
              { value: 'changed', label: `changed (${changed})` },
              { value: 'open', label: 'can be changed' },
              { value: 'fixed', label: 'fixed' },
            ],
          },
        ]}
      />
    </>
  )
}

const topics = [
  { title: 'Creating an order', last: 27 },
  { title: 'Errors and HTTP', last: 35 },
  { title: 'Webhooks', last: 56 },
  { title: 'Lookups, states and money', last: Number.POSITIVE_INFINITY },
] as const

/** The groups in which choices are shown: what was changed, what is asked most, then by topic. */
const groups = ['Changed', 'Asked most', ...topics.map(({ title }) => title)]

function groupOf({ n, settings }: Choice, { from }: SettingSources): string | undefined {
  if (settings.some(({ name }) => Object.hasOwn(from, name))) return 'Changed'
  if (toCheck.some(([asked]) => asked === n)) return 'Asked most'
  return topics.find(({ last }) => numberOf(n) <= last)?.title
}

function Group({
  title,
  choices,
  ...rest
}: {
  title: string
  choices: readonly Choice[]
  shell: Shell
  sources: SettingSources
}) {
  if (choices.length === 0) return null
  return (
    <section class="choice-group">
      <h2>
        {title} <span class="count">{choices.length}</span>
      </h2>
      <div class="choice-list">
        {choices.map((choice) => (
          <ChoiceRow choice={choice} {...rest} />
        ))}
      </div>
    </section>
  )
}

/** Returns the number in an assumption's name, such as 64 in `N64a`. */
const numberOf = (n: string): number => Number.parseInt(n.slice(1), 10)

function isSelected(
  { n, open, choice, reason, settings }: Choice,
  { q = '', show }: Readonly<Record<string, string | undefined>>,
  { from }: SettingSources,
): boolean {
  const names = settings.map(({ name }) => name)
  const text = [n, open, choice, reason, ...names].join(' ').toLowerCase()
  const isShown =
    show === 'changed'
      ? names.some((name) => Object.hasOwn(from, name))
      : show === 'open'
        ? names.length > 0
        : show !== 'fixed' || names.length === 0
  return (
    isShown &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  )
}
