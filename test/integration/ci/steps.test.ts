import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { program, startProgram } from '../../hard/support/program.ts'
import { aFolder } from '../../support/folder.ts'

const execute = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')
const recipe = (file: string) => parse(readFileSync(join(root, 'examples', 'ci', file), 'utf8'))

test('the steps of the GitHub workflow run the tests, and after a failure show what was seen', async () => {
  const { services, env, ...job } = recipe('github-actions.yml').jobs.test
  const printed = await run(stepsOf(job), { env, serving: services.emulator.env })
  expect(printed).toMatch(/^make test for shop$/m)
  expect(printed.match(/"items":\[\]/g)).toHaveLength(2)
  expect(printed).toContain('docker logs')
})

test('the workflow without a container runs the tests with the credentials in their environment', async () => {
  const steps = stepsOf(recipe('github-actions-exec.yml').jobs.test)
  expect(await run(steps, { env: {}, serving: {} })).toMatch(/^npm test for demo-client$/m)
})

test('the GitLab job waits, says where it is, and runs the tests', async () => {
  const { services, variables, script, after_script: afterwards } = recipe('gitlab-ci.yml').test
  const look = 'curl -s "$EMULATOR_URL/_emulator/clients/shop"'
  const printed = await run([...script, ...afterwards, look], {
    env: { ...variables, CI_JOB_STATUS: 'failed' },
    serving: services[0].variables,
  })
  expect(printed).toContain('"status":"ok"')
  expect(printed).toContain('make test for shop')
  expect(printed).toMatch(/"webhookUrl":"http:\/\/[\d.]+:3000\/webhooks"/)
})

test.each([
  ['GitHub', stepsOf(recipe('github-actions-sweep.yml').jobs.sweep), { QUICK: '--quick' }],
  ['GitLab', recipe('gitlab-ci-sweep.yml').sweep.script, { QUICK: '--quick' }],
])('the sweep on %s leaves a summary, a page and a report', async (system, steps, variables) => {
  const summary = system === 'GitHub' ? 'summary.md' : 'sweep.md'
  const env = { ...variables, ...(system === 'GitHub' && { GITHUB_STEP_SUMMARY: summary }) }
  const look = `grep '^## Sweep' ${summary}; grep -c '<testsuite' sweep.xml; grep -ci '<html' sweep.html`
  // A suite with an order, and one lookup.
  const npm = `[ "$1" = ci ] && exit
client=$PAYMENT_ORDER_CLIENT_ID
curl -sSf "$EMULATOR_URL/_emulator/orders" -H 'content-type: application/json' \\
  -d '{"clientId":"'$client'","requestId":"order-1","fiatAmount":"10.00"}'
curl -s "$PAYMENT_ORDER_BASE_URL/v1/client/orders?requestId=order-1&clientId=$client" -H "access-token: $PAYMENT_ORDER_ACCESS_TOKEN"`
  const printed = await run([...steps, look], { env, serving: {}, npm })
  expect(printed).toContain('lookup-503               survived')
  expect(printed).toMatch(/^## Sweep: 1 of 8 behaviours survived, 7 not met\n1\n1$/m)
})

test.each([
  ['push', 'npx payment-order-emulator push test/scenarios'],
  ['the loop of the guide', loopOfTheGuide()],
])('scenarios of your own are sent by %s', async (_, step) => {
  const look = 'curl -s "$EMULATOR_URL/_emulator/scenarios/slow-bank"'
  const withScenario = `mkdir -p test/scenarios
      sed 's/^id: .*/id: slow-bank/' '${join(root, 'scenarios', 'happy-slow.yaml')}' > test/scenarios/slow-bank.yaml`
  expect(await run([withScenario, step, look], { env: {}, serving: {} })).toContain('"id":"slow-bank"')
})

function stepsOf({ steps }: { steps: readonly { run?: string }[] }): string[] {
  return steps.flatMap(({ run }) => run ?? [])
}

function loopOfTheGuide(): string {
  const [loop] =
    /^for file in [\s\S]*?^done$/m.exec(readFileSync(join(root, 'docs/how-to/ci.md'), 'utf8')) ?? []
  return loop ?? 'false'
}

/** Runs the steps of a job beside an emulator, in an empty checkout, and answers what they print. What a project or a
 *  runner brings (npm, make, docker, its own variables) only says that it was called. */
async function run(
  steps: readonly string[],
  { env, serving, npm }: { env: NodeJS.ProcessEnv; serving: Record<string, string>; npm?: string },
): Promise<string> {
  const { url } = await startProgram([], { env: serving })
  const folder = aFolder()
  mkdirSync(join(folder, 'bin'))
  const commands = {
    npx: `[ "$1" = payment-order-emulator ] && shift && exec '${process.execPath}' '${program}' "$@"`,
    npm: npm ?? 'echo "npm $@ for $PAYMENT_ORDER_CLIENT_ID"',
    make: 'echo "make $@ for $PAYMENT_ORDER_CLIENT_ID"',
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
