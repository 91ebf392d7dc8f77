import { fits, type IdSample } from './id-forms.ts'
import { type TimePart, timePartsIn } from './times-in-ids.ts'

/** The forms that explain some ids. One is a finding, several are a question; without any, `problem` says why. */
export interface InferredForms {
  readonly forms: readonly string[]
  readonly problem: string
}

/** The chance of an error that is accepted: of a random character that is constant, or of one that is never drawn. */
const acceptedRisk = 1e-4

/** The chance of an accident that leaves a question open. */
const oddRisk = 1e-2

/** Each 1 doubles the number of possible forms. */
const mostOnes = 4

/** Infers the form of ids: parts that are the same in all of them, the time of creation, the number of the charge, and
 *  random parts. A random part is recognised by its characters, once there are so many that no other alphabet is
 *  plausible.
 *  @param isAccepted whether the setting accepts a form */
export function inferForms(
  samples: readonly IdSample[],
  isAccepted: (form: string) => boolean,
): InferredForms {
  const first = distinctTexts(samples.filter(({ charge }) => charge === 'first'))
  const [example] = first
  if (example === undefined || first.length < 2) return unclear('too few ids were seen')
  if (first.some(({ text }) => text.length !== example.text.length)) return unclear('their lengths differ')
  if (first.some(({ text }) => !/^[\w.~-]+$/.test(text)))
    return unclear('they have characters that no form has')
  const times = timePartsIn(first)
  if (typeof times === 'string') return unclear(times)
  const segments = segmentsOf(first, times)
  const problem = segments.map((segment) => problemOf(segment, first)).find((words) => words !== null)
  if (problem !== undefined) return unclear(problem)
  const ones = segments.flatMap((segment) =>
    segment.kind === 'constant' ? [...example.text.slice(segment.start, segment.end).matchAll(/0*1/g)] : [],
  )
  if (ones.length > mostOnes) return unclear('too many of their digits could be the number of the charge')
  const written = segments.map((segment) => textsOf(segment, first))
  const forms = written.reduce<string[]>(
    (before, texts) => before.flatMap((form) => texts.map((text) => form + text)),
    [''],
  )
  const right = forms.filter((form) => samples.every((sample) => fits(form, sample)))
  if (right.length === 0) return unclear('no form has their random parts')
  const accepted = right.filter(isAccepted)
  if (accepted.length < right.length) return unclear('they have too few random parts for the setting')
  return {
    forms: accepted,
    problem: 'an order has no second charge, so a 1 in them may be the number of the charge',
  }
}

const unclear = (problem: string): InferredForms => ({ forms: [], problem })

function distinctTexts(samples: readonly IdSample[]): IdSample[] {
  return [...new Map(samples.map((sample) => [sample.text, sample])).values()].toSorted(
    (a, b) => a.from - b.from,
  )
}

/** A part of all ids: a time, characters that are the same in all, or characters that vary. */
type Segment =
  | { readonly kind: 'time'; readonly form: string }
  | { readonly kind: 'constant' | 'random'; readonly start: number; readonly end: number }

function segmentsOf(samples: readonly IdSample[], times: readonly TimePart[]): Segment[] {
  const [first] = samples
  const length = first?.text.length ?? 0
  const segments: Segment[] = []
  for (let at = 0; at < length; ) {
    const time = times.find(({ start }) => start === at)
    if (time !== undefined) {
      segments.push({ kind: 'time', form: time.form })
      at = time.end
      continue
    }
    const isConstant = isConstantAt(samples, at)
    let end = at + 1
    while (
      end < length &&
      !times.some(({ start }) => start === end) &&
      isConstantAt(samples, end) === isConstant
    )
      end++
    segments.push({ kind: isConstant ? 'constant' : 'random', start: at, end })
    at = end
  }
  return segments
}

const isConstantAt = (samples: readonly IdSample[], at: number): boolean =>
  samples.every(({ text }) => text[at] === samples[0]?.text[at])

/** Why the random part of a segment cannot be told; null if it can, and for other segments. */
function problemOf(segment: Segment, samples: readonly IdSample[]): string | null {
  if (segment.kind !== 'random') return null
  const texts = samples.map(({ text }) => text.slice(segment.start, segment.end))
  const rising = texts.every((text, index) => index === 0 || text >= (texts[index - 1] ?? ''))
  if (samples.length >= 4 && rising)
    return 'they count up, or have a time that is not the one of their creation'
  const alphabet = alphabetOf(texts)
  if (alphabet === null) return 'too few ids were seen, or their characters are those of no random part'
  return repeats(texts) || isJoined(texts, alphabet) ? 'two random parts seem to follow each other' : null
}

/** Whether two characters are the same in each text. A part that a form has twice begins alike. */
function repeats(texts: readonly string[]): boolean {
  const columns = Array.from({ length: texts[0]?.length ?? 0 }, (_, at) =>
    texts.map((text) => text[at]?.toLowerCase()).join(''),
  )
  return new Set(columns).size < columns.length
}

/** Whether all texts begin or end with so many characters of a smaller alphabet that it is no accident. */
function isJoined(texts: readonly string[], { size, inSmaller, ...own }: Alphabet): boolean {
  const smaller = alphabets.filter(
    (each) => each.size < size && own.characters.source !== each.characters.source,
  )
  return smaller.some(({ characters }) =>
    [texts, texts.map(reversed)].some((all) => {
      const length = all[0]?.length ?? 0
      const common = Array.from({ length }, (_, index) =>
        all.every((text) => characters.test(text[index] ?? '')),
      )
      const end = common.indexOf(false)
      return inSmaller ** ((end < 0 ? length : end) * all.length) < oddRisk
    }),
  )
}

const reversed = (text: string): string => [...text].toReversed().join('')

interface Alphabet {
  readonly name: string
  readonly format: string
  readonly characters: RegExp
  readonly size: number
  /** What would be missing in a smaller alphabet: each of these is seen. */
  readonly classes: readonly RegExp[]
  /** The highest chance that a character of this alphabet is in the next smaller one. */
  readonly inSmaller: number
}

const alphabets: readonly Alphabet[] = [
  { name: 'digits', format: '', characters: /^\d+$/, size: 10, classes: [], inSmaller: 0 },
  {
    name: 'hex',
    format: '',
    characters: /^[\da-f]+$/,
    size: 16,
    classes: [/\d/, /[a-f]/],
    inSmaller: 10 / 16,
  },
  {
    name: 'hex',
    format: ':upper',
    characters: /^[\dA-F]+$/,
    size: 16,
    classes: [/\d/, /[A-F]/],
    inSmaller: 10 / 16,
  },
  ...(['lower', 'upper'] as const).map((format) => ({
    name: 'base62',
    format: `:${format}`,
    characters: format === 'lower' ? /^[\da-z]+$/ : /^[\dA-Z]+$/,
    size: 31,
    // Alphabets for people leave out what looks alike, or vowels.
    classes: [/\d/, /[g-z]/i, /[il]/i, /o/i, /u/i, /[01]/, /[89]/],
    inSmaller: 22 / 62,
  })),
  {
    name: 'base62',
    format: '',
    characters: /^[\dA-Za-z]+$/,
    size: 62,
    classes: [/\d/, /[a-z]/, /[A-Z]/, /[g-z]/i, /[0OIl]/],
    inSmaller: 36 / 62,
  },
]

/** The smallest alphabet that explains the texts; null if another one could too. */
function alphabetOf(texts: readonly string[]): Alphabet | null {
  const all = texts.join('')
  const fitting = alphabets.filter(({ characters }) => characters.test(all))
  const [alphabet, ...larger] = fitting
  if (alphabet === undefined) return null
  const constants = (texts[0]?.length ?? 0) * alphabet.size ** (1 - texts.length)
  // A larger alphabet would hardly have drawn these characters only.
  const mistaken = larger.map(({ size, inSmaller }) => (size === 62 ? 36 / 62 : inSmaller) ** all.length)
  const isSure = [constants, ...mistaken].every((risk) => risk < acceptedRisk)
  return isSure && alphabet.classes.every((each) => each.test(all)) && isFull(alphabet, all) ? alphabet : null
}

/** Whether most characters of a small alphabet were seen. */
function isFull({ size }: Alphabet, all: string): boolean {
  return size > 16 || new Set(all).size >= size - 2
}

/** The texts of a form that a segment can stand for. */
function textsOf(segment: Segment, samples: readonly IdSample[]): string[] {
  if (segment.kind === 'time') return [segment.form]
  const texts = samples.map(({ text }) => text.slice(segment.start, segment.end))
  const [constant = ''] = texts
  if (segment.kind === 'random') {
    const { name, format } = alphabetOf(texts) ?? { name: 'hex', format: '' }
    return [`\${${name}:${segment.end - segment.start}${format}}`]
  }
  // Each 1 can be the number of the first charge, with zeros before it.
  return constant.split(/(0*1)/).reduce<string[]>(
    (before, piece, index) => {
      const texts = index % 2 === 0 ? [piece] : [piece, ...chargesFor(piece)]
      return before.flatMap((form) => texts.map((text) => form + text))
    },
    [''],
  )
}

const chargesFor = (number: string): string[] =>
  Array.from({ length: number.length }, (_, zeros) => {
    const placeholder = zeros === 0 ? '${charge}' : `\${charge:${zeros + 1}}`
    return number.slice(0, number.length - 1 - zeros) + placeholder
  })
