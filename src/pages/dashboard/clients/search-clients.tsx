import { Empty } from '../parts.tsx'
import { linkTo, type Shell } from '../view.ts'

/** Looks for clients by a part of their name or webhook URL. */
export function SearchClients({ shell, search = '' }: { shell: Shell; search?: string | undefined }) {
  return (
    <search>
      <form method="get" action={shell.here.split('?')[0]} class="one-line" id="search-clients">
        <div class="field">
          <label for="search">Find a client</label>
          <input
            id="search"
            name="search"
            type="search"
            value={search}
            placeholder="part of its clientId or webhook URL"
            autocomplete="off"
            spellcheck={false}
          />
        </div>
        <button type="submit" class="button">
          Find
        </button>
      </form>
    </search>
  )
}

/** What stands where no client fits. */
export function NobodyFound({
  shell,
  search = '',
  path,
}: {
  shell: Shell
  search?: string | undefined
  path: string
}) {
  if (search === '')
    return (
      <Empty title="No clients yet">
        <p>Create one. All fields have defaults, so you can submit the empty form.</p>
      </Empty>
    )
  return (
    <Empty title="No client matches">
      <p>
        No client has “{search}” in the clientId or the webhook URL.{' '}
        <a href={linkTo(shell, path)}>Show all clients</a>
      </p>
    </Empty>
  )
}
