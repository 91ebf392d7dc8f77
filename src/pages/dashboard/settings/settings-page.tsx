import type { z } from 'zod'
import { choice as choiceShape } from '../../../control/shapes/choice.ts'
import { settingsAnswer } from '../../../control/shapes/settings.ts'
import { allItems } from '../all-items.ts'
import { Filters } from '../filters.tsx'
import { Empty } from '../parts.tsx'
import { type DashboardPage, linkTo, type Shell } from '../view.ts'
import { ChoiceRow, type SettingSources } from './choice-row.tsx'
import { toCheck } from './to-check.ts'

type Choice = z.output<typeof choiceShape>

const path = '/ui/settings'

/** `/_emulator/ui/settings`: everything that is assumed, why, and the settings that change it. */
export const settingsPage: DashboardPage = {
  path,
  show: async ({ api, shell, query }) => {
    const { clientId } = shell
    const choices = await allItems(api, '/choices', choiceShape, { clientId })
    const common = clientId === undefined ? null : await api.get('/settings', settingsAnswer)
    const { from, settings } = await api.get('/settings', settingsAnswer, { clientId })
    const sources: SettingSources = { from, set: settings, common: common?.effective ?? null }
    const found = choices.filter((choice) => isMeant(choice, query, sources))
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
            groups.map((group) => <Group {...group} choices={found} shell={shell} sources={sources} />)
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

const groups = [
  { title: 'Creating an order', last: 27 },
  { title: 'Errors and HTTP', last: 35 },
  { title: 'Webhooks', last: 56 },
  { title: 'Lookups, states and money', last: Number.POSITIVE_INFINITY },
] as const

function Group({
  title,
  last,
  choices,
  ...rest
}: (typeof groups)[number] & { choices: readonly Choice[]; shell: Shell; sources: SettingSources }) {
  const here = choices.filter(({ n }) => groups.find((group) => numberOf(n) <= group.last)?.title === title)
  if (here.length === 0) return null
  return (
    <section class="choice-group">
      <h2>
        {title} <span class="count">{here.length}</span>
      </h2>
      <div class="choice-list">
        {here.map((choice) => (
          <ChoiceRow choice={choice} {...rest} />
        ))}
      </div>
    </section>
  )
}

/** 64 of `N64a`. */
const numberOf = (n: string): number => Number.parseInt(n.slice(1), 10)

function isMeant(
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
