/** Every cause that a diagnosis can name: what it means, and what to do. `docs/reference/diagnosis.md` is made of it; the words
 *  are stable, so that tests may wait for them. */
export const causeTable = {
  // ---- signature: the string ----------------------------------------------------------------------
  'signature.amount-spelling': [
    'The amount was signed in another spelling than the body has: `10`, `10.0`, `1E+1`, `1,000.00`, minor units.',
    'Format the amount once, as text, and use that text for both.',
  ],
  'signature.checkout-form': [
    'The string of a checkout order was signed for a subscription, or the other of its two forms than the one that the setting `signature.checkout` pins.',
    'Sign the string that the diagnosis shows.',
  ],
  'signature.subscription-form': [
    'The string of a subscription was signed for a checkout order.',
    'Sign the string that the diagnosis shows, or call the other path.',
  ],
  'signature.trial-days': [
    '`trialPeriodDays` was left out of the string, signed though empty, or signed with another number of digits.',
    'Sign it last, as the body has it, and only when it is not empty.',
  ],
  'signature.percent-encoded': [
    'Percent-encoded values were signed.',
    'Sign the values as the body has them.',
  ],
  'signature.percent-decoded': [
    'Values were decoded before signing.',
    'Sign the values as the body has them.',
  ],
  'signature.form-encoded': [
    'Form-encoded values were signed, with `+` for a space.',
    'Sign the values as the body has them.',
  ],
  'signature.unicode-form': [
    'The values were signed in another Unicode form (NFC, NFD, NFKC) than the body has.',
    'Normalize before both, or not at all.',
  ],
  'signature.json-escaped': [
    'Values were signed with JSON escapes (`\\u00f3`).',
    'Sign the text that the escapes stand for.',
  ],
  'signature.value-quoted': ['Values were signed in quotes.', 'Sign them without.'],
  'signature.value-trimmed': [
    'Values were trimmed before signing, but not in the body.',
    'Trim before both, or not at all.',
  ],
  'signature.value-case': [
    'The requestId was signed in other letters, as UUIDs sometimes are.',
    'Use one text for both.',
  ],
  'signature.value-altered': ['The requestId was signed without its hyphens.', 'Use one text for both.'],
  'signature.value-missing': [
    'A value was not there yet when the string was made: it is empty, `undefined`, `null` or `None`.',
    'Make the string after the values.',
  ],
  'signature.line-end': [
    'A line end behind the string was signed, as `echo` adds one.',
    'Sign without it (`printf %s`, `echo -n`).',
  ],
  'signature.separators': [
    'The members were joined otherwise than with `&` and `=`, or with something before or behind them.',
    'Sign the string that the diagnosis shows.',
  ],
  'signature.values-only': [
    'The values were signed without their names.',
    'Sign `name=value`, joined by `&`.',
  ],
  'signature.member-names': [
    'The names were signed in another style.',
    'Use the names of the body, in the very same letters.',
  ],
  'signature.member-order': [
    'The members were signed in another order.',
    'The order is fixed, whatever that of the body is.',
  ],
  'signature.member-missing': [
    'A member is missing in the string that was signed.',
    'Sign the string that the diagnosis shows.',
  ],
  'signature.all-members': [
    'Every member of the body was signed, as other services want it.',
    'Sign only the few that belong to the string.',
  ],
  'signature.json-body': [
    'The JSON body was signed, as it was sent or written anew.',
    'Sign the string that the diagnosis shows; the body is not part of it.',
  ],
  'signature.empty-string': ['An empty string was signed.', 'Make the string before signing it.'],
  'signature.bytes': [
    'The string was signed as Latin-1, UTF-16 or ASCII.',
    'Sign its UTF-8 bytes, and name the encoding: defaults differ.',
  ],
  'signature.encoded-first': ['The string was base64-encoded before signing.', 'Sign its UTF-8 bytes.'],

  // ---- signature: the key --------------------------------------------------------------------------
  'signature.key-altered': [
    'The key was the API secret with a line end, without its spaces, in quotes, in other letters, or decoded or encoded as base64 or hex.',
    'Use the UTF-8 bytes of the API secret, exactly as it was given.',
  ],
  'signature.key-other-client': [
    "Another client's API secret was the key; the diagnosis names the client.",
    'Take secret and access token from the same client.',
  ],
  'signature.key-access-token': ['The access token was the key.', 'The key is the API secret.'],
  'signature.key-webhook-secret': [
    'The webhook secret was the key.',
    'That one is for webhooks only; the key of a call is the API secret.',
  ],
  'signature.key-client-id': ['The clientId was the key.', 'The key is the API secret.'],
  'signature.key-empty': [
    'The key was empty, or the word `undefined` or `null`.',
    'Look whether the setting with the secret reaches the program.',
  ],

  // ---- signature: the digest and its writing -------------------------------------------------------
  'signature.algorithm': ['The HMAC was made with another hash than SHA-256.', 'Use HMAC-SHA256.'],
  'signature.no-hmac': [
    'A plain SHA-256 was made, or key and text were swapped.',
    "Use the HMAC of your language's library.",
  ],
  'signature.hex': ['The digest is written in hex.', 'Base64-encode the 32 bytes.'],
  'signature.base64-of-hex': [
    'The hex digest was base64-encoded.',
    'Base64-encode the 32 bytes, not their hex text.',
  ],
  'signature.base64-twice': ['The signature was base64-encoded twice.', 'Encode once.'],
  'signature.base64url': [
    'The signature is in base64url.',
    'Use the alphabet with `+` and `/`, and the padding `=`.',
  ],
  'signature.padding': ['The padding `=` is missing, or there is too much of it.', 'Send all 44 characters.'],
  'signature.spaces': [
    'There are spaces where `+` belongs: the signature went through a form or a query.',
    'Send it as it is.',
  ],
  'signature.percent-encoded-header': ['The signature was percent-encoded.', 'Headers are not encoded.'],
  'signature.wrapped': [
    'Something stands around the signature: quotes, brackets, spaces, a prefix such as `sha256=`.',
    'Send the 44 characters alone.',
  ],
  'signature.cut': ['The signature is right but cut off.', 'Send all of it.'],
  'signature.letter-case': [
    'The letters of the signature were changed.',
    'Base64 tells capital letters from small ones.',
  ],
  'signature.twice': ['The header came more than once.', 'Send it once.'],
  'signature.unsigned': ['The header holds the string to sign.', 'Send the signature of that string.'],
  'signature.credential': [
    'The header holds a credential and no signature.',
    'Send the signature; the API secret itself never leaves your backend.',
  ],
  'signature.placeholder': [
    'The header holds a placeholder such as `undefined` or `${signature}`.',
    'Look where the value should have been put in.',
  ],
  'signature.no-digest': [
    'The header has not the length of a digest.',
    'Base64-encode the 32 bytes of the HMAC.',
  ],
  'signature.header-name': ['The signature is in a header of another name.', 'Call the header `signature`.'],
  'signature.in-body': ['The signature is a member of the body.', 'Send it in the header `signature`.'],
  'signature.in-query': ['The signature is in the query.', 'Send it in the header `signature`.'],
  'signature.empty': ['The header is empty.', 'Sign the string that the diagnosis shows.'],
  'signature.missing': ['There is no signature.', 'Sign the string that the diagnosis shows.'],
  'signature.wrong': [
    'The signature fits none of the mistakes above.',
    'Compare the string that you sign with the one shown, byte for byte, then the secret.',
  ],

  // ---- token ---------------------------------------------------------------------------------------
  'token.missing': ['There is no access token.', 'Send the header `access-token`.'],
  'token.empty': [
    'The header `access-token` is empty.',
    'Look whether the setting with the token reaches the program.',
  ],
  'token.authorization-header': [
    'The token is in the header `Authorization`, which the service does not read.',
    'Send it in the header `access-token`, without `Bearer`.',
  ],
  'token.header-name': ['The token is in a header of another name.', 'Call the header `access-token`.'],
  'token.in-query': [
    'The token is in the query.',
    'Send it in the header `access-token`; addresses end up in logs.',
  ],
  'token.in-body': ['The token is a member of the body.', 'Send it in the header `access-token`.'],
  'token.prefix': ['A prefix such as `Bearer ` stands before the token.', 'Send the token alone.'],
  'token.wrapped': ['Quotes, brackets or spaces stand around the token.', 'Send the token alone.'],
  'token.twice': ['The header came more than once.', 'Send it once.'],
  'token.letter-case': ['The letters of the token were changed.', 'Send it as it was given.'],
  'token.credential': [
    'The header holds the API secret, the webhook secret or the clientId.',
    'Send the access token.',
  ],
  'token.placeholder': [
    'The header holds a placeholder such as `undefined` or `${token}`.',
    'Look where the value should have been put in.',
  ],
  'token.expired': ['The token has expired.', 'Get a new one, and repeat the call with it.'],
  'token.refused': ['A scenario has all tokens of the client refused for a while.', 'That is what it tests.'],
  'token.lost': [
    'The token looks like one that an emulator gave out, but this one does not know it: a reset, a restart in memory or another emulator lies between.',
    'Get a new one.',
  ],
  'token.unknown': ['No client has this token.', '`GET /_emulator/clients` shows the tokens.'],

  // ---- whose call it is ----------------------------------------------------------------------------
  'clientId.missing': ['The header `client-id` is missing.', 'The webhook URL update needs it.'],
  'clientId.not-the-tokens': [
    "The clientId is not that of the token's client.",
    'Take both from the same client.',
  ],
  'client.deleted': ['The client was deleted while the call was under way.', 'Make the client anew.'],
  'credentials.wrong': [
    'No client has this clientId and API secret.',
    '`GET /_emulator/clients` shows the credentials.',
  ],

  // ---- query ---------------------------------------------------------------------------------------
  'query.name': [
    'A parameter has another name: `requestID`, `request_id`, `requestId[]`, `amp;clientId`.',
    'Names count in the very same letters: `requestId`, `clientId`.',
  ],
  'query.missing': ['A parameter is missing.', 'Send `requestId` and `clientId`.'],
  'query.empty': ['A parameter is empty.', 'Send `requestId` and `clientId`.'],
  'query.twice': ['A parameter came more than once.', 'Send each once.'],
  'query.in-body': ['The parameters of a GET are in its body, which is not read.', 'Send them in the query.'],
  'query.not-utf-8': [
    'The query is percent-encoded, but not as UTF-8: most likely as Latin-1 or Windows-1252.',
    'Percent-encode the UTF-8 bytes: `%C3%A9` for é.',
  ],
  'query.percent': ['The query has a `%` that begins no escape.', 'Write `%25` for a percent sign.'],
  'query.separator': ['The parameters are separated by something else than `&`.', 'Separate them by `&`.'],

  // ---- body ----------------------------------------------------------------------------------------
  'body.content-type': ['The body is not announced as JSON.', 'Send `Content-Type: application/json`.'],
  'body.too-large': ['The body is larger than 1 MiB.', 'Send less.'],
  'body.cut': ['The connection ended before the body did.', 'Look at time-outs and at `Content-Length`.'],
  'body.empty': ['The body is empty.', 'Send a JSON object.'],
  'body.byte-order-mark': ['A byte order mark stands before the JSON.', 'Write UTF-8 without it.'],
  'body.form-encoded': ['The body is form-encoded.', 'Send JSON.'],
  'body.multipart': ['The body is a multipart form.', 'Send JSON.'],
  'body.compressed': ['The body is compressed.', 'Send it as it is; compressed bodies are not read.'],
  'body.utf-16': ['The body is UTF-16 or UTF-32.', 'Send UTF-8.'],
  'body.not-utf-8': ['The body is not UTF-8, most likely Latin-1 or Windows-1252.', 'Send UTF-8.'],
  'body.json-in-string': [
    'The body is a JSON string that has the JSON object in it: it was serialized twice.',
    'Serialize once.',
  ],
  'body.base64': ['The body is the base64 of JSON.', 'Send the JSON itself.'],
  'body.not-an-object': ['The body is JSON, but no object.', 'Send one order as one object.'],
  'body.xml': ['The body is XML or HTML.', 'Send JSON.'],
  'body.trailing-comma': ['A comma stands before a closing bracket.', 'JSON has none there.'],
  'body.quotes': ['Single, typographic or missing quotes.', 'JSON has double quotes around names and texts.'],
  'body.literals': [
    'Words that JSON does not have: `NaN`, `Infinity`, `undefined`, `True`, `None`.',
    'Let a JSON library write the body.',
  ],
  'body.comments': ['The body has comments.', 'JSON has none.'],
  'body.line-end-in-text': [
    'A text has a line end or another control character in it.',
    'Write it as `\\n`.',
  ],
  'body.incomplete': ['The JSON ends too early.', 'Look where it is cut.'],
  'body.trailing-text': ['Something stands behind the JSON.', 'Send one object and nothing else.'],
  'body.placeholder': ['The body is a placeholder such as `[object Object]`.', 'Serialize the object.'],
  'body.too-deep': ['The JSON is nested deeper than 64 levels.', 'Send less depth.'],
  'body.too-many-values': ['The JSON has more than 20,000 values.', 'Send fewer.'],
  'body.duplicate-member': ['A member stands in the body twice; the last one counts.', 'Send it once.'],
  'body.syntax': ['The body is not JSON.', 'The message says where it stops being JSON.'],

  // ---- fields --------------------------------------------------------------------------------------
  'input.member-name': [
    'A member is missing, and there is one with nearly its name.',
    'Names count in the very same letters.',
  ],
  'input.missing': ['A member is missing.', 'The message names it.'],
  'input.type': [
    'A member has the wrong type, for example a number where a text belongs.',
    'The message names it.',
  ],
  'input.invalid': ['A member breaks a rule.', 'The message names all of them.'],
  'requestId.taken': [
    'An order with this requestId exists already.',
    'Look it up, or use a new requestId for a new order.',
  ],
  'webhook-url.missing': [
    'A webhook is to be simulated, and no URL is registered.',
    'Register one with `POST /v1/client/webhook-url`.',
  ],

  // ---- path and method -----------------------------------------------------------------------------
  'path.trailing-slash': ['There is a slash behind the path.', 'Leave it out.'],
  'path.doubled-slash': [
    'There is a doubled slash in the path, most often between base URL and path.',
    'Give the base URL without a slash at its end.',
  ],
  'path.version': ['The `/v1` is missing, doubled, or another version.', 'Paths begin with `/v1/`.'],
  'path.letter-case': ['The path has other capital letters.', 'Paths are in small letters.'],
  'path.prefix': ['Something stands before `/v1`.', 'Paths begin with `/v1/`.'],
  'path.encoded': ['The path is percent-encoded, or has a space at its end.', 'Send it as it is.'],
  'path.not-served': [
    'The path is one of two that were printed, and the setting `paths.webhookUrl` serves the other.',
    'Use the other one.',
  ],
  'path.parameter': [
    'A value stands in the path, as in `/v1/client/orders/<requestId>`.',
    'Send it in the query.',
  ],
  'path.unknown': ['There is nothing at this path.', 'The message names the nearest one.'],
  'method.preflight': [
    'A browser asks whether it may call (CORS preflight); the service answers no browser.',
    'Call it from your backend.',
  ],
  'method.wrong': ['The path has another method.', 'The message names it.'],

  // ---- below the service ---------------------------------------------------------------------------
  'http.headers-too-large': ['The headers are larger than 16 KiB.', 'Send less, most often fewer cookies.'],
  'http.chunk-extensions-too-large': ['The extensions of the chunks are larger than 16 KiB.', 'Send none.'],
  'http.too-slow': ['The request did not arrive in time: headers 10 s, all of it 30 s.', 'Send it faster.'],
  'http.tls': ['TLS came to the plain HTTP port.', 'Use `http://`.'],
  'http.http2': ['HTTP/2 came without being asked for.', 'Use HTTP/1.1.'],
  'http.version': ['Another version of HTTP came.', 'Use HTTP/1.1.'],
  'http.host': ['The header `Host` is missing, doubled or no host name.', 'Send it once.'],
  'http.target': [
    'The target of the request is no path, or has characters that must be percent-encoded.',
    'Send a path that begins with a slash, in ASCII.',
  ],
  'http.body-length': [
    'The length of the body is invalid: no number, two of them, or wrong chunks.',
    'Let an HTTP library set it.',
  ],
  'http.transfer-coding': [
    '`Transfer-Encoding` names another coding than `chunked`, or stands in a request of HTTP/1.0.',
    'Send the body as it is, with a `Content-Length` or in chunks.',
  ],
  'http.header': ['A header has a character that it may not have.', 'Send no line ends in headers.'],
  'http.incomplete': [
    'The connection ended in the middle of the request.',
    'Look at `Content-Length` and time-outs.',
  ],
  'http.expect': ['The header `Expect` asks for something unknown.', 'Only `100-continue` is known.'],
  'http.connect': ['The emulator was taken for a proxy.', 'Call it directly.'],
  'http.unreadable': ['What came is not HTTP/1.1.', 'The message says what the parser says.'],

  // ---- the emulator --------------------------------------------------------------------------------
  'emulator.disk-full': ['The disk with the database is full.', 'Free some space.'],
  'emulator.stopping': ['The emulator is stopping.', 'Start it again.'],
  'emulator.error': ['The emulator refused the call; the message says why.', 'Read the message.'],
  internal: [
    'The emulator has a bug.',
    'Its log has the details under the id of the entry; please report it.',
  ],
} as const satisfies Readonly<Record<string, readonly [means: string, remedy: string]>>

/** A stable word for why a request was refused. */
export type Cause = keyof typeof causeTable
