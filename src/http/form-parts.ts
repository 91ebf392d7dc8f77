/** The fields of a `multipart/form-data` body, as pieces of its bytes: a file may be large, and is not copied. Of several
 *  fields with one name the last counts.
 *  @returns null if it is no such body */
export function formParts(bytes: Buffer, contentType: string): ReadonlyMap<string, Buffer> | null {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined || !/^multipart\/form-data\b/i.test(contentType)) return null
  const mark = `\r\n--${boundary}`
  const fields = new Map<string, Buffer>()
  if (bytes.indexOf(mark.slice(2)) !== 0) return null
  let at = mark.length - 2
  while (bytes.toString('latin1', at, at + 2) !== '--') {
    const headersEnd = bytes.indexOf('\r\n\r\n', at)
    const end = bytes.indexOf(mark, headersEnd + 2)
    if (headersEnd === -1 || end === -1) return null
    const [, name] = /;\s*name="([^"]*)"/i.exec(bytes.toString('utf8', at, headersEnd)) ?? []
    if (name !== undefined) fields.set(name, bytes.subarray(headersEnd + 4, end))
    at = end + mark.length
  }
  return fields
}
