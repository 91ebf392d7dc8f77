import * as z from 'zod'

/** The longest requestId. Percent-encoded, with nine bytes for a character, it still fits beside the other headers into
 *  the 16 KiB that a lookup may begin with. */
export const requestIdCharacters = 1_000

/** A requestId that a lookup can ask for. */
export const requestId = z
  .string()
  .min(1)
  .max(requestIdCharacters)
  .refine((text) => text.isWellFormed(), 'contains half of a surrogate pair; send valid Unicode')
