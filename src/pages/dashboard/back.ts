/** Where a form wants to go back to, if that is a page of the dashboard: never anywhere else. */
export function ownPath(path: string | null | undefined): string {
  return path && /^\/_emulator\/(?:$|\?|ui\/)[\x20-\x7e]*$/.test(path) ? path : '/_emulator/'
}

/** The address of a page that shows a note. */
export function withNote(path: string, id: string): string {
  const { pathname, searchParams, hash } = new URL(path, 'http://page')
  searchParams.set('note', id)
  return `${pathname}?${searchParams}${hash}`
}

/** The address of a page without the note that it showed. */
export function withoutNote(path: string): string {
  const [page = '', search = ''] = path.split('?')
  const query = new URLSearchParams(search)
  query.delete('note')
  return query.size === 0 ? page : `${page}?${query}`
}
