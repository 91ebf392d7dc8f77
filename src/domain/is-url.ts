/** Whether a text is a URL. Not `URL.canParse`: that of Node 22, once V8 has compiled its caller, takes a text with letters
 *  like ü for broken. */
export const isUrl = (text: string, base?: string): boolean => URL.parse(text, base) !== null
