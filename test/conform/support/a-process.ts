import type { ConformOptions } from '../../../src/conform/index.ts'

type ApplicationProcess = NonNullable<ConformOptions['process']>

/** The process of an application, as a test has it. */
export const aProcess = (parts: Partial<ApplicationProcess> = {}): ApplicationProcess => ({
  restart: async () => undefined,
  output: () => '',
  ...parts,
})
