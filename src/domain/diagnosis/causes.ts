/** All causes of diagnoses: meaning and remedy. `docs/reference/diagnosis.md` is generated from it; the names are
 *  stable, so that tests can rely on them. */
export const causeTable = {
  // ---- signature: the string ----------------------------------------------------------------------
  'signature.amount-spelling': [
    'The signed amount is spelled differently from the one in the body: `10`, `10.0`, `1E+1`, `1,000.00`, minor units.',
    'Format the amount once, as text, and use that text for both.',
  ],
  'signature.checkout-form': [
    'You signed the string for a checkout order, but created a subscription. Or you signed one of the two checkout forms, and the setting `signature.checkout` pins the other.',
    'Sign the string that the diagnosis shows.',
  ],
  'signature.subscription-form': [
    'You signed the string for a subscription, but created a checkout order.',
    'Sign the string that the diagnosis shows, or call the other path.',
  ],
  'signature.trial-days': [
    '`trialPeriodDays` is missing in the signed string, was signed although it is empty, or was signed with a different number of digits.',
    'Sign it last, exactly as in the body, and only if it is not empty.',
  ],
  'signature.percent-encoded': [
    'You signed percent-encoded values.',
    'Sign the values exactly as in the body.',
  ],
  'signature.percent-decoded': [
    'You decoded the values before signing.',
    'Sign the values exactly as in the body.',
  ],
  'signature.form-encoded': [
    'You signed form-encoded values, with `+` for a space.',
    'Sign the values exactly as in the body.',
  ],
  'signature.unicode-form': [
    'The signed values have a different Unicode form (NFC, NFD, NFKC) from the values in the body.',
    'Normalize the values for both, or for neither.',
  ],
  'signature.json-escaped': ['You signed values with JSON escapes (`\\u00f3`).', 'Sign the unescaped text.'],
  'signature.value-quoted': ['You signed the values in quotes.', 'Sign the values without quotes.'],
  'signature.value-trimmed': [
    'You trimmed the values before signing, but not in the body.',
    'Trim the values for both, or for neither.',
  ],
  'signature.value-case': [
    'The requestId has different capital and small letters in the signed string, as often happens with UUIDs.',
    'Use the same text for both.',
  ],
  'signature.value-altered': ['You signed the requestId without its hyphens.', 'Use the same text for both.'],
  'signature.value-missing': [
    'The string was built before a value was set: the value is empty, `undefined`, `null` or `None`.',
    'Set all values before you build the string.',
  ],
  'signature.line-end': [
    'You signed a line break at the end of the string; `echo` adds one.',
    'Sign the string without it (`printf %s`, `echo -n`).',
  ],
  'signature.separators': [
    'The fields are not joined with `&` and `=`, or there is extra text before or after them.',
    'Sign the string that the diagnosis shows.',
  ],
  'signature.values-only': [
    'You signed the values without their names.',
    'Sign `name=value` pairs, joined by `&`.',
  ],
  'signature.member-names': [
    'The field names have a different style in the signed string.',
    'Use exactly the names in the body, including upper and lower case.',
  ],
  'signature.member-order': [
    'You signed the fields in a different order.',
    'The order is fixed. It does not depend on the order in the body.',
  ],
  'signature.member-missing': [
    'The signed string lacks a field.',
    'Sign the string that the diagnosis shows.',
  ],
  'signature.all-members': [
    'You signed every field of the body, as some other services require.',
    'Sign only the fields that belong to the string.',
  ],
  'signature.json-body': [
    'You signed the JSON body, either as you sent it or serialized again.',
    'Sign the string that the diagnosis shows; it does not contain the body.',
  ],
  'signature.empty-string': ['You signed an empty string.', 'Build the string before you sign it.'],
  'signature.bytes': [
    'You signed the string as Latin-1, UTF-16 or ASCII.',
    'Sign its UTF-8 bytes. Name the encoding in your code, because defaults differ.',
  ],
  'signature.encoded-first': ['You base64-encoded the string before signing it.', 'Sign its UTF-8 bytes.'],

  // ---- signature: the key --------------------------------------------------------------------------
  'signature.key-altered': [
    'The key is a changed copy of the API secret: with a line break, without its spaces, in quotes, in upper or lower case, or encoded to or decoded from base64 or hex.',
    'Use the UTF-8 bytes of the API secret, exactly as you received it.',
  ],
  'signature.key-other-client': [
    "The key is another client's API secret; the diagnosis names that client.",
    'Use the API secret and the access token of the same client.',
  ],
  'signature.key-access-token': ['The key is the access token.', 'Use the API secret as the key.'],
  'signature.key-webhook-secret': [
    'The key is the webhook secret.',
    'Use the API secret as the key. The webhook secret is only for webhooks.',
  ],
  'signature.key-client-id': ['The key is the clientId.', 'Use the API secret as the key.'],
  'signature.key-empty': [
    'The key is empty, or the word `undefined` or `null`.',
    'Check that your program reads the setting with the secret.',
  ],

  // ---- signature: the digest and its writing -------------------------------------------------------
  'signature.algorithm': ['The HMAC uses a hash other than SHA-256.', 'Use HMAC-SHA256.'],
  'signature.no-hmac': [
    'You used plain SHA-256 instead of HMAC, or swapped key and text.',
    "Use the HMAC function of your language's library.",
  ],
  'signature.hex': ['The signature is written in hex.', 'Base64-encode the 32 bytes of the HMAC.'],
  'signature.base64-of-hex': [
    'You base64-encoded the hex digest.',
    'Base64-encode the 32 bytes of the HMAC, not their hex text.',
  ],
  'signature.base64-twice': ['You base64-encoded the signature twice.', 'Encode it only once.'],
  'signature.base64url': [
    'The signature is base64url.',
    'Use standard base64, with `+`, `/` and the padding `=`.',
  ],
  'signature.padding': ['The padding `=` is missing, or there is too much of it.', 'Send all 44 characters.'],
  'signature.spaces': [
    'The signature has spaces instead of `+`: it was decoded as a form or a query.',
    'Send the signature unchanged.',
  ],
  'signature.percent-encoded-header': ['The signature is percent-encoded.', 'Do not encode header values.'],
  'signature.wrapped': [
    'There is extra text around the signature: quotes, brackets, spaces, a prefix such as `sha256=`.',
    'Send only the 44 characters.',
  ],
  'signature.cut': ['The signature is correct but truncated.', 'Send all 44 characters.'],
  'signature.letter-case': [
    'The signature differs from the correct one in upper and lower case.',
    'Do not change the case: base64 is case-sensitive.',
  ],
  'signature.twice': ['The header was sent more than once.', 'Send it once.'],
  'signature.unsigned': ['The header contains the string to sign.', 'Send the signature of that string.'],
  'signature.credential': [
    'The header contains a credential instead of a signature.',
    'Send the signature. The API secret must never leave your backend.',
  ],
  'signature.placeholder': [
    'The header contains a placeholder such as `undefined` or `${signature}`.',
    'Check the code that should fill in the value.',
  ],
  'signature.no-digest': [
    'The length of the header value does not match any digest.',
    'Base64-encode the 32 bytes of the HMAC.',
  ],
  'signature.header-name': [
    'The signature is in a header with another name.',
    'Name the header `signature`.',
  ],
  'signature.in-body': ['The signature is in the body.', 'Send it in the header `signature`.'],
  'signature.in-query': ['The signature is in the query.', 'Send it in the header `signature`.'],
  'signature.empty': ['The header is empty.', 'Sign the string that the diagnosis shows.'],
  'signature.missing': ['The header `signature` is missing.', 'Sign the string that the diagnosis shows.'],
  'signature.wrong': [
    'The signature matches none of the known mistakes.',
    'Compare the string that you sign with the one in the diagnosis, byte for byte. Then check the secret.',
  ],

  // ---- token ---------------------------------------------------------------------------------------
  'token.missing': ['The access token is missing.', 'Send the header `access-token`.'],
  'token.empty': [
    'The header `access-token` is empty.',
    'Check that your program reads the setting with the token.',
  ],
  'token.authorization-header': [
    'The token is in the header `Authorization`, which the service ignores.',
    'Send it in the header `access-token`, without `Bearer`.',
  ],
  'token.header-name': ['The token is in a header with another name.', 'Name the header `access-token`.'],
  'token.in-query': [
    'The token is in the query.',
    'Send it in the header `access-token`. URLs end up in logs.',
  ],
  'token.in-body': ['The token is in the body.', 'Send it in the header `access-token`.'],
  'token.prefix': ['There is a prefix such as `Bearer ` before the token.', 'Send only the token.'],
  'token.wrapped': ['There are quotes, brackets or spaces around the token.', 'Send only the token.'],
  'token.twice': ['The header was sent more than once.', 'Send it once.'],
  'token.letter-case': [
    'The token differs from a valid one in upper and lower case.',
    'Send the token exactly as you received it.',
  ],
  'token.credential': [
    'The header contains the API secret, the webhook secret or the clientId.',
    'Send the access token.',
  ],
  'token.placeholder': [
    'The header contains a placeholder such as `undefined` or `${token}`.',
    'Check the code that should fill in the value.',
  ],
  'token.expired': ['The token has expired.', 'Get a new token, and repeat the call with it.'],
  'token.refused': [
    'A scenario refuses all tokens of the client for a while.',
    'This is the purpose of the scenario. Wait until it ends, or advance the clock.',
  ],
  'token.lost': [
    'The token looks like one from an emulator, but this emulator does not know it. It was reset, restarted with a database in memory, or the token is from another emulator.',
    'Get a new token.',
  ],
  'token.unknown': ['The token belongs to no client.', '`GET /_emulator/clients` shows the tokens.'],

  // ---- whose call it is ----------------------------------------------------------------------------
  'clientId.missing': [
    'The header `client-id` is missing.',
    'Send the header `client-id` when you change the webhook URL.',
  ],
  'clientId.not-the-tokens': [
    'The clientId does not match the client of the token.',
    'Use the clientId and the token of the same client.',
  ],
  'client.deleted': ['The client was deleted during the call.', 'Create the client again.'],
  'credentials.wrong': [
    'No client has this combination of clientId and API secret.',
    '`GET /_emulator/clients` shows the credentials.',
  ],

  // ---- query ---------------------------------------------------------------------------------------
  'query.name': [
    'A parameter has a wrong name: `requestID`, `request_id`, `requestId[]`, `amp;clientId`.',
    'Use exactly these names, including upper and lower case: `requestId`, `clientId`.',
  ],
  'query.missing': ['A parameter is missing.', 'Send `requestId` and `clientId`.'],
  'query.empty': ['A parameter is empty.', 'Send `requestId` and `clientId`.'],
  'query.twice': ['A parameter was sent more than once.', 'Send each parameter once.'],
  'query.in-body': [
    'The parameters of a GET request are in its body, which the service ignores.',
    'Send the parameters in the query.',
  ],
  'query.not-utf-8': [
    'The query is percent-encoded, but not from UTF-8; most likely from Latin-1 or Windows-1252.',
    'Percent-encode the UTF-8 bytes: `%C3%A9` for é.',
  ],
  'query.percent': [
    'The query contains a `%` without two hexadecimal digits after it.',
    'Write `%25` for a percent sign.',
  ],
  'query.separator': [
    'The separator between the parameters is not `&`.',
    'Separate the parameters with `&`.',
  ],

  // ---- body ----------------------------------------------------------------------------------------
  'body.content-type': ['The `Content-Type` is not JSON.', 'Send `Content-Type: application/json`.'],
  'body.too-large': ['The body is larger than 1 MiB.', 'Send a smaller body.'],
  'body.cut': [
    'The connection closed before the whole body arrived.',
    'Check your timeouts and the `Content-Length`.',
  ],
  'body.empty': ['The body is empty.', 'Send a JSON object.'],
  'body.byte-order-mark': [
    'The JSON starts with a byte order mark.',
    'Write UTF-8 without a byte order mark.',
  ],
  'body.form-encoded': ['The body is form-encoded.', 'Send JSON.'],
  'body.multipart': ['The body is a multipart form.', 'Send JSON.'],
  'body.compressed': ['The body is compressed.', 'Send the body uncompressed.'],
  'body.utf-16': ['The body is UTF-16 or UTF-32.', 'Send UTF-8.'],
  'body.not-utf-8': ['The body is not UTF-8, most likely Latin-1 or Windows-1252.', 'Send UTF-8.'],
  'body.json-in-string': [
    'The body is a JSON string that contains the JSON object: it was serialized twice.',
    'Serialize the object only once.',
  ],
  'body.base64': ['The body is the base64 of JSON.', 'Send the JSON itself.'],
  'body.not-an-object': ['The body is JSON, but not an object.', 'Send one order as one object.'],
  'body.xml': ['The body is XML or HTML.', 'Send JSON.'],
  'body.trailing-comma': [
    'There is a comma before a closing bracket.',
    'Remove the comma; JSON does not allow it.',
  ],
  'body.quotes': [
    'The JSON has single quotes, typographic quotes or missing quotes.',
    'Put double quotes around names and strings.',
  ],
  'body.literals': [
    'The body contains words that JSON does not have: `NaN`, `Infinity`, `undefined`, `True`, `None`.',
    'Write the body with a JSON library.',
  ],
  'body.comments': ['The body contains comments.', 'Remove the comments; JSON does not allow them.'],
  'body.line-end-in-text': [
    'A string contains an unescaped line break or another control character.',
    'Write a line break as `\\n`.',
  ],
  'body.incomplete': ['The JSON is incomplete.', 'Find the place where it is cut off.'],
  'body.trailing-text': ['There is extra content after the JSON.', 'Send one object and nothing else.'],
  'body.placeholder': ['The body is a placeholder such as `[object Object]`.', 'Serialize the object.'],
  'body.too-deep': ['The JSON is nested deeper than 64 levels.', 'Use fewer levels.'],
  'body.too-many-values': ['The JSON has more than 20,000 values.', 'Send fewer values.'],
  'body.duplicate-member': ['The body contains a field twice; the last one counts.', 'Send the field once.'],
  'body.syntax': ['The body is not valid JSON.', 'The message names the position of the error.'],

  // ---- fields --------------------------------------------------------------------------------------
  'input.member-name': [
    'A required field is missing, and the body has a field with a similar name.',
    'Use exactly the documented name, including upper and lower case.',
  ],
  'input.missing': ['A required field is missing.', 'The message names the field.'],
  'input.type': [
    'A field has the wrong type, for example a number instead of a string.',
    'The message names the field.',
  ],
  'input.invalid': ['A field has an invalid value.', 'The message names all invalid fields.'],
  'requestId.taken': [
    'An order with this requestId already exists.',
    'Look it up, or use a new requestId for a new order.',
  ],
  'limit.reached': [
    'The client has made more calls than a rate limit allows (setting `limits`).',
    'Wait for the seconds in `Retry-After` on the clock of the client, then repeat the call.',
  ],
  'webhook-url.missing': [
    'You simulated a webhook, but the client has no webhook URL.',
    'Register a URL with `POST /v1/client/webhook-url`.',
  ],

  // ---- path and method -----------------------------------------------------------------------------
  'path.trailing-slash': ['There is a slash at the end of the path.', 'Remove the slash.'],
  'path.doubled-slash': [
    'There is a double slash in the path, most often between base URL and path.',
    'Configure the base URL without a slash at its end.',
  ],
  'path.version': ['The `/v1` is missing, doubled, or another version.', 'Start the path with `/v1/`.'],
  'path.letter-case': ['The path has wrong upper or lower case.', 'Write the path in lower case.'],
  'path.prefix': ['There is extra text before `/v1`.', 'Start the path with `/v1/`.'],
  'path.encoded': [
    'The path is percent-encoded, or has a space at its end.',
    'Send the path without encoding and without spaces.',
  ],
  'path.not-served': [
    'This is one of the two documented paths, but the setting `paths.webhookUrl` serves only the other.',
    'Use the other path, or change the setting.',
  ],
  'path.parameter': [
    'The path contains a value, as in `/v1/client/orders/<requestId>`.',
    'Send the value in the query.',
  ],
  'path.unknown': ['There is nothing at this path.', 'The message names the nearest path.'],
  'method.preflight': [
    'A browser sent a CORS preflight request; the service does not support calls from browsers.',
    'Call it from your backend.',
  ],
  'method.wrong': ['The path requires another method.', 'The message names the method.'],

  // ---- Causes of requests that are refused before the service sees them ----
  'http.headers-too-large': [
    'The headers are larger than 16 KiB.',
    'Send smaller headers, most often fewer cookies.',
  ],
  'http.chunk-extensions-too-large': [
    'The chunk extensions of the body are larger than 16 KiB.',
    'Send no chunk extensions.',
  ],
  'http.too-slow': [
    'The request took too long. The limit is 10 s for the headers, and 30 s for the whole request.',
    'Send the request faster.',
  ],
  'http.tls': ['The client started TLS on a plain HTTP port.', 'Use `http://` in the URL.'],
  'http.http2': ['The client used HTTP/2 without negotiating it ("prior knowledge").', 'Use HTTP/1.1.'],
  'http.version': ['The request uses another version of HTTP.', 'Use HTTP/1.1.'],
  'http.host': [
    'The header `Host` is missing, repeated, or not a host name.',
    'Send one valid `Host` header.',
  ],
  'http.target': [
    'The request target is not a path, or contains characters that must be percent-encoded.',
    'Send a path in ASCII that starts with a slash.',
  ],
  'http.body-length': [
    'The body length is invalid: not a number, two different lengths, or invalid chunks.',
    'Let an HTTP library set the length.',
  ],
  'http.transfer-coding': [
    '`Transfer-Encoding` names a coding other than `chunked`, or an HTTP/1.0 request has this header.',
    'Send the body unencoded, with a `Content-Length` or in chunks.',
  ],
  'http.header': [
    'A header contains an invalid character.',
    'Remove line breaks and control characters from the header.',
  ],
  'http.incomplete': [
    'The connection closed in the middle of the request.',
    'Check the `Content-Length` and your timeouts.',
  ],
  'http.expect': [
    'The header `Expect` has an unsupported value.',
    'Send `Expect: 100-continue` or no `Expect` header.',
  ],
  'http.connect': ['The client used the emulator as a proxy.', 'Call the emulator directly.'],
  'http.unreadable': [
    'The data is not a valid HTTP/1.1 request.',
    'The message contains the error of the HTTP parser.',
  ],

  // ---- the emulator --------------------------------------------------------------------------------
  'emulator.disk-full': ['The disk with the database is full.', 'Free some disk space.'],
  'emulator.stopping': ['The emulator is shutting down.', 'Start it again.'],
  'emulator.error': ['The emulator refused the call; the message says why.', 'Read the message.'],
  internal: [
    'The emulator failed: this is a bug.',
    'Find the details in its log, under the id of the request log entry. Please report the bug.',
  ],
} as const satisfies Readonly<Record<string, readonly [means: string, remedy: string]>>

/** The stable name of a cause for which calls are refused. */
export type Cause = keyof typeof causeTable
