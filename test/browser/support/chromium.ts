import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of this run listens. */
    browserEndpoint: string
  }
}

/** Flags for a browser that makes no requests of its own. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts one browser for the whole run; every test has a profile of its own in it. */
export default async function startChromium(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  if (!existsSync(executablePath)) {
    throw new Error(`There is no chromium at ${executablePath}. Install it, or name it in CHROMIUM.`)
  }
  const server = await chromium.launchServer({ executablePath, args: flags, host: '127.0.0.1' })
  project.provide('browserEndpoint', server.wsEndpoint())
  return () => server.close()
}
