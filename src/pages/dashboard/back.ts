/** No page of the emulator, but a base to resolve paths against. */
const anywhere = 'http://page.invalid'

/** Where a form wants to go back to, if that is a page of the dashboard: never anywhere else. */
export function ownPath(path: string | null | undefined): string {
  const url = path && /^\/[\x20-\x7e]*$/.test(path) ? URL.parse(path, anywhere) : null
  // Only once it is resolved is it known where it leads: `/_emulator/ui/../..//elsewhere` is another host.
  const isOwn = url?.origin === anywhere && /^\/_emulator\/(?:$|ui\/)/.test(url.pathname)
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : '/_emulator/'
}

/** The address of a page that shows a note. */
export function withNote(path: string, id: string): string {
  const { pathname, searchParams, hash } = new URL(path, anywhere)
  searchParams.set('note', id)
  return `${pathname}?${searchParams}${hash}`
}

/** The address of a page without the note that it showed. */
export function withoutNote(path: string): string {
  const [page = ''] = path.split('?', 1)
  const query = new URLSearchParams(path.slice(page.length))
  query.delete('note')
  return query.size === 0 ? page : `${page}?${query}`
}
