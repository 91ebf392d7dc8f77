import type { Shell } from './view.ts'

/** Narrows the pages to one client. Where there is only one there is nothing to narrow. */
export function ClientScope({ shell }: { shell: Shell }) {
  const { clientId, clients, here } = shell
  if (clientId === undefined && clients !== null && clients.length < 2) return null
  const { path, filters } = scoped(here)
  return (
    <form class="scope" method="get" action={path} id="client-scope">
      {filters.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <label for="scope">Client</label>
      {clients === null ? <Typed clientId={clientId} /> : <Chosen clientId={clientId} clients={clients} />}
      <button type="submit" class="button plain">
        Show
      </button>
    </form>
  )
}

/** The list that is narrowed, with its other filters. A page about a thing of one client leads to the list of such
 *  things. A cursor is a place in the list of before. */
function scoped(here: string): { path: string; filters: [name: string, value: string][] } {
  const { pathname, searchParams } = new URL(here, 'http://page.invalid')
  const [, kind] = /^\/_emulator\/ui\/(orders|deliveries|requests|clients)\/./.exec(pathname) ?? []
  if (kind !== undefined)
    return { path: kind === 'orders' ? '/_emulator/' : `/_emulator/ui/${kind}`, filters: [] }
  const own = [...searchParams].filter(([name]) => !['clientId', 'cursor', 'note'].includes(name))
  return { path: pathname, filters: own }
}

function Typed({ clientId = '' }: { clientId: string | undefined }) {
  return (
    <input
      id="scope"
      name="clientId"
      value={clientId}
      placeholder="all clients"
      autocomplete="off"
      spellcheck={false}
    />
  )
}

function Chosen({ clientId, clients }: { clientId: string | undefined; clients: readonly string[] }) {
  // A link may name one that is gone.
  const names = clientId === undefined || clients.includes(clientId) ? clients : [clientId, ...clients]
  return (
    <select id="scope" name="clientId">
      <option value="">all clients</option>
      {names.map((name) => (
        <option value={name} selected={name === clientId}>
          {name}
        </option>
      ))}
    </select>
  )
}
