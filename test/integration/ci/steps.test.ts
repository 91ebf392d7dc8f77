import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { program, startProgram } from '../../hard/support/program.ts'
import { aFolder } from '../../support/folder.ts'

const execute = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')
const recipe = (file: string) => parse(readFileSync(join(root, 'examples', 'ci', file), 'utf8'))

test('the steps of the GitHub workflow push scenarios, and after a failure show what was seen', async () => {
  const { services, env, steps } = recipe('github-actions.yml').jobs.test
  const runs: string[] = steps.flatMap(({ run }: { run?: string }) => (run === undefined ? [] : [run]))
  const printed = await run(runs, { env, serving: services.emulator.env })
  expect(printed).toContain('slow-bank')
  expect(printed).toContain('shop')
  expect(printed).toMatch(/"items":\[\]/)
  expect(printed).toContain('docker logs')
})

test('the workflow without a container runs the tests with the credentials in their environment', async () => {
  const { steps } = recipe('github-actions-exec.yml').jobs.test
  const runs: string[] = steps.flatMap(({ run }: { run?: string }) => (run === undefined ? [] : [run]))
  expect(await run(runs, { env: {}, serving: {} })).toMatch(/^npm test for demo-client$/m)
})

test('the GitLab job waits, pushes, and says where it is', async () => {
  const { services, variables, script, after_script: afterwards } = recipe('gitlab-ci.yml').test
  const look = 'curl -s "$EMULATOR_URL/_emulator/clients/shop"'
  const printed = await run([...script, ...afterwards, look], {
    env: { ...variables, CI_JOB_STATUS: 'failed' },
    serving: services[0].variables,
  })
  expect(printed).toContain('slow-bank')
  expect(printed).toMatch(/"webhookUrl":"http:\/\/[\d.]+:3000\/webhooks"/)
})

/** Runs the steps of a job beside an emulator, in a checkout that has a scenario, and answers what they print. What a
 *  runner brings besides (npm, docker, its own variables) only says that it was called. */
async function run(
  steps: readonly string[],
  { env, serving }: { env: NodeJS.ProcessEnv; serving: Record<string, string> },
): Promise<string> {
  const { url } = await startProgram([], { env: serving })
  const folder = aFolder()
  mkdirSync(join(folder, 'test'))
  cpSync(join(root, 'scenarios', 'happy-slow.yaml'), join(folder, 'test', 'scenarios', 'slow-bank.yaml'))
  const scenario = join(folder, 'test', 'scenarios', 'slow-bank.yaml')
  writeFileSync(scenario, readFileSync(scenario, 'utf8').replace(/^id: .*$/m, 'id: slow-bank'))
  mkdirSync(join(folder, 'bin'))
  const commands = {
    npx: `[ "$1" = payment-order-emulator ] && shift && exec '${process.execPath}' '${program}' "$@"`,
    npm: 'echo "npm $@ for $PAYMENT_ORDER_CLIENT_ID"',
    docker: 'echo "docker $@"',
  }
  for (const [name, text] of Object.entries(commands)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  const PATH = `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`
  const script = ['set -e', ...steps].join('\n').replaceAll(/\$\{\{.*?\}\}/g, 'it')
  const { stdout } = await execute('bash', ['-c', script], {
    cwd: folder,
    env: { ...env, PATH, EMULATOR_URL: url },
  })
  return stdout
}
