import type { Mistake } from '../mistake.ts'

/** The digest that a header may stand for, and the mistakes in its encoding. */
export interface Reading {
  readonly digest: Buffer
  readonly mistakes: readonly Mistake[]
}

/** Digest lengths: of SHA-1, SHA-224, SHA-256, SHA-384, SHA-512, and MD5. */
const digestBytes = new Set([16, 20, 28, 32, 48, 64])
/** The longest encoding of a digest: 64 bytes in hex, twice in base64, with a prefix. */
const longestCharacters = 400

/** Patterns of superfluous text around a signature. */
const wrappings: readonly (readonly [pattern: RegExp, mistake: Mistake])[] = [
  [
    /^\(?(?:SHA2-256|HMAC-SHA256|HMAC-SHA2-256|SHA256|stdin)\)?(?:\(stdin\))?= ([^\s]+)$/i,
    { cause: 'signature.wrapped', words: 'you sent all output of `openssl dgst`, not only the digest' },
  ],
  [
    /^(?:sha-?1|sha-?256|sha-?512|hmac-?sha-?256|hmac|v\d|signature|bearer|t=\d+,v\d)(?:[=:,]\s*|\s+)(.+)$/i,
    { cause: 'signature.wrapped', words: 'there is a prefix before the signature; send only the signature' },
  ],
  [
    /^b'(.*)'$|^b"(.*)"$/,
    {
      cause: 'signature.wrapped',
      words: "there is Python's b'…' around the signature; decode the bytes to text",
    },
  ],
  [
    /^["'`](.*)["'`]$/,
    { cause: 'signature.wrapped', words: 'there are quotes around the signature; send it without them' },
  ],
  [
    /^[<{[(](.*)[>}\])]$/,
    { cause: 'signature.wrapped', words: 'there are brackets around the signature; send it without them' },
  ],
  [
    /^(?:\s|\\n|\\r)*(?!\s|\\n|\\r)(.*)(?<!\s|\\n|\\r|%0a|%0d)(?:\s|\\n|\\r|%0a|%0d)+$/i,
    { cause: 'signature.wrapped', words: 'there is a line break or space after the signature; trim it' },
  ],
]

/** All digests that a signature may stand for; none if its length fits no digest. */
export function readings(signature: string): Reading[] {
  if (signature.length > longestCharacters) return []
  return unwrapped(signature, []).flatMap(({ text, mistakes }) =>
    decoded(text).map(({ digest, mistakes: more }) => ({ digest, mistakes: [...mistakes, ...more] })),
  )
}

interface Writing {
  readonly text: string
  readonly mistakes: readonly Mistake[]
}

/** The text itself, and without its wrappings, at most two of them. */
function unwrapped(text: string, mistakes: readonly Mistake[]): Writing[] {
  const here = { text, mistakes }
  if (mistakes.length === 2) return [here]
  const inner = wrappings.flatMap(([pattern, mistake]) => {
    const match = pattern.exec(text)
    const found = match?.slice(1).find((group) => group !== undefined)
    return found === undefined || found === text ? [] : unwrapped(found, [...mistakes, mistake])
  })
  const unescaped = /%[0-9a-f]{2}/i.test(text) ? [percentDecoded(text)] : []
  const encoded = unescaped.map((plain) => ({
    text: plain,
    mistakes: [
      ...mistakes,
      { cause: 'signature.percent-encoded-header', words: 'you percent-encoded the signature' } as const,
    ],
  }))
  return [here, ...inner, ...encoded]
}

const percentDecoded = (text: string) =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function decoded(text: string): Reading[] {
  return [...fromHex(text), ...fromBase64(text), ...fromDoubleBase64(text)].filter(({ digest }) =>
    digestBytes.has(digest.length),
  )
}

function fromHex(text: string): Reading[] {
  const bare = text.replaceAll(/[:\s-]/g, '')
  if (!/^(?:[0-9a-f]{2})+$/i.test(bare)) return []
  return [
    {
      digest: Buffer.from(bare, 'hex'),
      mistakes: [
        {
          cause: 'signature.hex',
          words: 'you sent the hex digest; base64-encode the bytes of the HMAC itself',
        },
      ],
    },
  ]
}

function fromBase64(text: string): Reading[] {
  // In a form or a query string, `+` becomes a blank.
  const bare = text.replaceAll(' ', '+')
  const body = bare.replace(/=+$/, '')
  if (!/^[\w+/-]+$/.test(body)) return []
  const digest = Buffer.from(body, 'base64')
  return [{ digest, mistakes: base64Mistakes(text, body, digest) }]
}

function base64Mistakes(text: string, body: string, digest: Buffer): Mistake[] {
  const mistakes: Mistake[] = []
  if (text.includes(' '))
    mistakes.push({ cause: 'signature.spaces', words: 'the signature has spaces instead of +' })
  if (/[-_]/.test(body)) {
    const words = 'you used base64url; use standard base64, with +, / and the padding ='
    mistakes.push({ cause: 'signature.base64url', words })
  } else if (text.length < digest.toString('base64').length) {
    const words = `you left out the padding =; send all ${digest.toString('base64').length} characters`
    mistakes.push({ cause: 'signature.padding', words })
  } else if (text.length > digest.toString('base64').length) {
    mistakes.push({ cause: 'signature.padding', words: 'you sent too many padding characters =' })
  }
  return mistakes
}

function fromDoubleBase64(text: string): Reading[] {
  if (!/^[\w+/-]{40,}=*$/.test(text)) return []
  const inner = Buffer.from(text, 'base64').toString('latin1').trim()
  const hex = fromHex(inner).map(({ digest }) => ({
    digest,
    mistakes: [
      {
        cause: 'signature.base64-of-hex',
        words: 'you base64-encoded the hex digest; base64-encode the bytes of the HMAC itself',
      } as const,
    ],
  }))
  const twice = /^[A-Za-z0-9+/]{22,}={1,2}$/.test(inner) ? [Buffer.from(inner, 'base64')] : []
  const words = 'you base64-encoded the signature twice'
  return [
    ...hex,
    ...twice.map((digest) => ({ digest, mistakes: [{ cause: 'signature.base64-twice', words } as const] })),
  ]
}
