/** Headers of an answer that name its journal entry and, if it is a refusal, the dashboard's page that says why.
 *  @param base under which the caller reaches the emulator, e.g. `http://127.0.0.1:4600` */
export function journalHeaders(id: string, status: number, base: string): Readonly<Record<string, string>> {
  const named = { 'emulator-request-id': id }
  if (status < 400) return named
  // A host in other letters than ASCII would be no header.
  const page = new URL(`${base}/_emulator/ui/requests/${id}`).href
  return { ...named, 'emulator-diagnosis': page }
}
