import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { causeTable } from '../src/domain/diagnosis/causes.ts'

const target = new URL('../docs/diagnosis.md', import.meta.url)

/** The headings, each before the cause it begins with. */
const headings: ReadonlyMap<string, string> = new Map([
  ['signature.amount-spelling', 'Signature: the string'],
  ['signature.key-altered', 'Signature: the key'],
  ['signature.algorithm', 'Signature: the digest and how it is written'],
  ['token.missing', 'Access token'],
  ['clientId.missing', 'Whose call it is'],
  ['query.name', 'Query'],
  ['body.content-type', 'Body'],
  ['input.member-name', 'Fields'],
  ['path.trailing-slash', 'Path and method'],
  ['http.headers-too-large', 'Below the service: what is no request'],
  ['emulator.disk-full', 'The emulator itself'],
])

/** The text of `docs/diagnosis.md`. */
export function diagnosisDocument(): string {
  return `<!-- Written by tools/diagnosis-doc.ts from src/domain/diagnosis/causes.ts. -->

# Why was it refused?

The service answers a wrong signature, a wrong token and a foreign clientId with one and the same sentence, so the
emulator does too. Why a call was refused stands elsewhere: in the log line, in the journal (the header
\`emulator-request-id\` of the answer names the entry: \`GET /_emulator/requests/{id}\`), in the events, and on the
dashboard under Requests, which marks where two strings part and has a command with the right signature. Every refusal
has the header \`emulator-diagnosis\`, the address of that page; planned errors have it too, and the page names the
fault. The address begins with \`--public-url\`, or else with the host that the caller named. Where the emulator has
no port (\`listen: false\`), \`emulator.fetch\` opens it and a browser cannot.

\`\`\`json
"diagnosis": {
  "cause": "signature.amount-spelling",
  "message": "signature: you signed \`fiatAmount=10\`, the body says \`10.00\` (from index 13 on you signed ...",
  "stringToSign": "fiatAmount=10.00&requestId=r1",
  "signedString": "fiatAmount=10&requestId=r1",
  "firstDifference": 13
}
\`\`\`

\`cause\` is one of the words below and stays the same, so a test can wait for it. \`message\` is for people. Where several
mistakes come together, \`cause\` names the first and \`message\` all of them. No secret ever stands in a diagnosis.

How a signature is diagnosed: what was sent is read as any digest it can be (hex, base64 in its kinds, with things around
it). Then strings, keys and hashes that programs use by mistake are tried, one mistake at a time, then those that usually
come in pairs, until one gives these very bytes. So a cause that is named is certain, not guessed. The work for one
refusal is bounded: of more than 100 other clients the first 100 secrets are tried, and very long values in fewer ways.

A lookup that finds nothing is no refusal: it is answered with an empty list. Its journal entry has a note if the client
has an order under nearly that requestId: other letters, a \`+\` that became a space, encoded twice, an orderId.
${Object.entries(causeTable)
  .map(([cause, [means, remedy]]) => causeLine(cause, means, remedy))
  .join('')}`
}

function causeLine(cause: string, means: string, remedy: string): string {
  const heading = headings.get(cause)
  const head = '| Cause | What it means | What to do |\n|---|---|---|\n'
  return `${heading === undefined ? '' : `\n## ${heading}\n\n${head}`}| ${[`\`${cause}\``, means, remedy].map(cell).join(' | ')} |\n`
}

const cell = (text: string) => text.replaceAll('|', '\\|')

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, diagnosisDocument())
