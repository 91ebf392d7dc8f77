import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { GiveUp } from '../give-up.ts'
import { programCall } from '../program-call.ts'
import { shellQuote } from '../shell-quote.ts'
import type { Terminal } from '../terminal.ts'
import { initialConfig } from './initial-config.ts'
import { makeWritable, writeResult } from './output-files.ts'

/** `conform --init`: writes a configuration to fill in. @throws GiveUp where there is a file already */
export function writeInitialConfig(file: string, force: boolean, terminal: Terminal): number {
  if (existsSync(file) && !force)
    throw new GiveUp(2, `error: ${JSON.stringify(file)} already exists; \`--force\` overwrites it`)
  makeWritable(file)
  writeResult(file, initialConfig.replace(schemaFile, besides(file)))
  terminal.out(nextSteps(file, programCall(terminal.env)))
  return 0
}

const schemaFile = 'node_modules/payment-order-emulator/conform/schema.json'

/** Editors look for it from the folder of the file. */
const besides = (file: string): string =>
  relative(resolve(dirname(file)), resolve(schemaFile)).replaceAll('\\', '/')

/** @param call how this program is called */
function nextSteps(file: string, call: string): string {
  const named = file === 'conform.yaml' ? '' : ` ${shellQuote(file)}`
  return `${file} is written. Next:

  1. Start the emulator, if it is not running:         ${call.replace(/ --$/, '')}
  2. Start your application with the emulator as its
     payment service. Its variables:                   ${call} status --env
  3. Fill in ${file}: webhookUrl, start and probe.
     Check it:                                         ${call} check ${shellQuote(file)}
  4. Run the test cases:                               ${call} conform${named}`
}
