const mebibyte = 1024 * 1024
const tokens = 20_000

/** A body that holds as much as the control API takes, or more. */
export interface ControlBody {
  readonly name: string
  readonly text: string
}

/** Texts of YAML: each full of one little thing, once as many as the limit of tokens lets through, once a mebibyte. */
export function yamlBodies(): ControlBody[] {
  const full = units.flatMap(([head, unit, tail, perUnit]) => {
    const filled = (bytes: number, most: number) =>
      head +
      unit.repeat(Math.min(most, Math.floor((bytes - 10 - head.length - tail.length) / unit.length))) +
      tail
    const name = JSON.stringify(head + unit)
    return [
      { name: `as many as may be: ${name}`, text: filled(mebibyte, Math.floor((tokens - 10) / perUnit)) },
      { name: `a mebibyte: ${name}`, text: filled(mebibyte, Infinity) },
    ]
  })
  const large = Object.entries(largeTexts).map(([name, text]) => ({ name, text }))
  return [...full, ...large]
}

/** The units of hostile texts: prefix, repeated part, suffix, and the number of tokens of each. */
const units: readonly (readonly [head: string, unit: string, tail: string, tokens: number])[] = [
  ['[', '1,', "'']", 2],
  ['[ ', '1 , ', "'']", 2],
  ['[', '{},', "'']", 3],
  ['[', 'a: b,', "'']", 4],
  ['{', 'a,', '}', 2],
  ['{', '"a":1,', '}', 4],
  ['[', '!a b,', "'']", 3],
  ['[', `${'['.repeat(60)}${']'.repeat(60)},`, "'']", 121],
  ['[a', ',', "'']", 1],
  ['{', ',', '', 1],
  ['', '! ', '', 1],
  ['', '? a\n', '', 3],
  ['', '- 1\n', '', 3],
  ['', '-\n', '', 2],
  ['', '- - - 1\n', '', 5],
  ['', 'a: 1\n', '', 4],
  ['', ':\n', '', 2],
  ['', '\n', '', 1],
  ['', '\r\n', '', 1],
  ['', '\t\n', '', 1],
  ['', '#\n', '', 2],
  ['', 'a: 1 # x\n', '', 5],
  ['', '---\n', '', 2],
  ['', '...\n', '', 2],
  ['', '%a\n', '', 2],
  ['', '- &a b\n', '', 4],
  ['', '- *a\n', '', 3],
  ['', '<<: {}\n', '', 5],
  ['', 'a: b: c\n', '', 6],
  ['', '- "x" "y"\n', '', 4],
  ['', '- |x\n', '', 3],
  ['', ']', '', 1],
  ['', '"" ', '', 1],
  ['a: ', 'b\n ', '', 1],
  ['a: "', 'b\n ', '"', 1],
  ['a: |\n', ' b\n', '', 1],
  ['a: >\n', '\n', '', 1],
  ['[', '99999999999999999999,', "'']", 2],
  ['id: x\ndescription: y\ntimeline:\n', '- { atr: x }\n', '', 7],
  ['id: x\ndescription: y\ntimeline:\n', '- { at: 1s, pay: completed }\n', '', 11],
  ['clients:\n- clientId: a\n  orders:\n', '  - { requestIdd: 1 }\n', '', 7],
]

const largeTexts: Readonly<Record<string, string>> = {
  'a long word': `a: ${'x'.repeat(mebibyte - 10)}`,
  'a long text in quotes': `a: "${'x'.repeat(mebibyte - 10)}"`,
  'many escapes': `a: "${'\\u0041'.repeat(174_000)}"`,
  'many quotes': `a: '${"''".repeat(500_000)}'`,
  'many backslashes': `a: "${'\\'.repeat(mebibyte - 10)}`,
  spaces: ' '.repeat(mebibyte),
  tabs: '\t'.repeat(mebibyte),
  'carriage returns': '\r'.repeat(mebibyte),
  'a long number': `a: ${'9'.repeat(mebibyte - 10)}`,
  'a long tag': '!'.repeat(mebibyte),
  bars: '|'.repeat(mebibyte),
  'one space more on each line': Array.from({ length: 1_400 }, (_, n) => `${' '.repeat(n)}a:\n`).join(''),
  'many line ends before wrong clients, as JSON': `{"clients":[${'\n'.repeat(1_000_000)}${Array(60).fill('{"x":1}').join()}]}`,
  'below sixty mappings': `${Array.from({ length: 58 }, (_, n) => `${' '.repeat(n)}a:\n`).join('')}${`${' '.repeat(58)}- x\n`.repeat(6_000)}`,
  'below sixty lists': `${'['.repeat(60)}${'a,'.repeat(9_900)}a${']'.repeat(60)}`,
  'many settings': `id: x\nsettings:\n${Array.from({ length: 4_900 }, (_, n) => ` k${n}: 1\n`).join('')}`,
}

/** Texts of JSON, each with nearly as many values as the limit lets through, or more. */
export function jsonBodies(): ControlBody[] {
  return Object.entries({
    'unknown fields': numbered(19_900, (n) => `"k${n}":1`),
    'unknown fields with long names': numbered(9_900, (n) => `"${'a'.repeat(90)}${n}":1`),
    'unknown fields with dots': numbered(15_000, (n) => `"a.b.${n}":{}`),
    'one field': numbered(19_900, () => '"a":1'),
    __proto__: numbered(19_900, () => '"__proto__":1'),
    settings: `"settings":{${numbered(19_900, (n) => `"k${n}":1`)}}`,
    'settings of one group': numbered(19_900, (n) => `"webhook.k${n}":1`),
    'a where': `"for":"order","where":{${numbered(19_900, (n) => `"k${n}":"x"`)}}`,
    'a where of metadata': `"for":"order","where":{${numbered(19_900, (n) => `"metadata.k${n}":"x"`)}}`,
    'an effect': `"on":"create-checkout","effect":{${numbered(19_900, (n) => `"k${n}":1`)}}`,
    clients: `"clients":[${numbered(6_000, (n) => `{"clientIdd":"c${n}"}`)}]`,
    'slips in orders': `"clients":[{"clientId":"a","orders":[${numbered(9_000, () => '{"reqest":1}')}]}]`,
    'slips in statuses': `"clients":[{"clientId":"a","orders":[${numbered(9_000, () => '{"status":"COMPLETEDD"}')}]}]`,
    'unknown scenarios': `"clients":[{"clientId":"a","orders":[${numbered(9_000, (n) => `{"scenario":"hapy-${n}"}`)}]}]`,
    orders: `"clients":[{"clientId":"many","orders":[${numbered(9_000, () => '{}')}]}]`,
    'as many orders as may be': `"clients":[{"clientId":"most","orders":[${numbered(740, () => '{}')}]}]`,
    'as many clients as may be': `"clients":[${numbered(990, (n) => `{"clientId":"m${n}"}`)}]`,
    'as many charges as may be': `"clients":[{"clientId":"charges","settings":{"subscription.intervals":["DAILY"]},"orders":[{"kind":"subscription","interval":"DAILY","authorised":"980d ago"}]}]`,
    refunds: `"clients":[{"clientId":"b","orders":[${numbered(90, () => `{"status":"COMPLETED","refunds":[${numbered(90, () => '{}')}]}`)}]}]`,
    'old subscriptions': `"clients":[{"clientId":"c","orders":[${numbered(3_000, () => '{"kind":"subscription","interval":"DAILY","authorised":"2014-01-01T00:00:00Z"}')}]}]`,
    steps: `"id":"x","description":"y","timeline":[${numbered(1_000, (n) => `{"at":"${n}s","order":"X${n}"}`)}]`,
    'slips in steps': `"id":"x","description":"y","timeline":[${numbered(9_000, () => '{"atr":1}')}]`,
    numbers: `"a":[${numbered(19_000, () => '99999999999999999999')}]`,
    'lists 60 deep': `"a":[${numbered(8_000, () => '['.repeat(60) + ']'.repeat(60))}]`,
    'a list': `"a":[${numbered(500_000, () => '1')}]`,
    'a long text': `"clientId":"${'x'.repeat(mebibyte - 100)}"`,
  }).map(([name, members]) => ({ name, text: `{${members}}` }))
}

const numbered = (many: number, word: (n: number) => string) =>
  Array.from({ length: many }, (_, n) => word(n)).join(',')
