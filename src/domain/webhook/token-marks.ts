/** A token that is made later, with the time and the key of its webhook: its claims, in a mark that stands for it. The
 *  id of the webhook keeps values of a caller from being taken for one. */
export const tokenMark = (webhookId: string, claims: string): string =>
  `\u{E002}${webhookId}|${Buffer.from(claims).toString('base64url')}\u{E003}`

/** Whether a text has the mark of a token. */
export const hasTokenMark = (text: string): boolean => text.includes('\u{E002}')

/** Puts tokens in the places of their marks.
 *  @param make makes a token from the JSON text of its claims */
export function withTokens(text: string, webhookId: string, make: (claims: string) => string): string {
  return text.replaceAll(/\u{E002}([^|\u{E003}]*)\|([\w-]*)\u{E003}/gu, (mark, id: string, claims: string) =>
    id === webhookId ? make(Buffer.from(claims, 'base64url').toString('utf8')) : mark,
  )
}
