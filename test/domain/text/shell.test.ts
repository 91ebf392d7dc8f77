import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { printed, shellQuoted } from '../../../src/domain/text/shell.ts'

/** Characters that control a terminal or are invisible. */
const notPlain = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u

test.each([
  ["it's $HOME `id` \\0101 \\n %s", 'what a shell would take for its own'],
  ['x\u0003  touch /tmp/pwned #\ny', 'Ctrl+C, which ends a quote'],
  ['\u001b[201~id\u0004\u0015\u001a\u007f\u009b1m', 'what ends a paste, and other keys'],
  ["a\tb\r\nc'd", 'a tab, which completes words'],
  ['\u202eevil\u200b\u2066\u2028ü€', 'what reads other than it runs'],
])('%j comes through a shell as it is: %s', (text) => {
  const [word, print] = [shellQuoted(text), printed(text)]
  expect([word, print].join()).not.toMatch(notPlain)
  const { stdout } = spawnSync('/bin/sh', ['-c', `printf %s ${word}; printf '|'; ${print}`])
  expect(String(stdout)).toBe(`${text}|${text}`)
})
