import { defineConfig } from '@playwright/test'

// A browser that is installed already, like /usr/bin/chromium; without it, the one of `npx playwright install chromium`.
const executablePath = process.env.CHROMIUM

export default defineConfig({
  testDir: 'test',
  fullyParallel: true,
  use: { actionTimeout: 5_000, launchOptions: executablePath ? { executablePath } : {} },
})
