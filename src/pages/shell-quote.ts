/** A text as one word of a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
