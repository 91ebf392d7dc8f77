import type { Shell } from './view.ts'

/** Narrows the pages to one client. Where there is only one there is nothing to narrow. */
export function ClientScope({ shell }: { shell: Shell }) {
  const { clientId, clients, here } = shell
  if (clientId === undefined && clients !== null && clients.length < 2) return null
  return (
    <form class="scope" method="get" action={here.split('?')[0]}>
      <label for="scope">Client</label>
      {clients === null ? <Typed clientId={clientId} /> : <Chosen clientId={clientId} clients={clients} />}
      <button type="submit" class="button plain">
        Show
      </button>
    </form>
  )
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
