import { onTestFinished } from 'vitest'
import { emulatorAt, type TestEmulator } from '../../support/emulator.ts'
import { type Program, startProgram } from './program.ts'

/** The built program, to be spoken to as the tests speak to an emulator of their own. */
export async function startRemote(
  ...given: Parameters<typeof startProgram>
): Promise<{ emulator: TestEmulator; program: Program }> {
  const program = await startProgram(...given)
  const emulator = emulatorAt(program.url, async () => {
    program.child.kill('SIGKILL')
    await program.exited
  })
  onTestFinished(() => emulator.close())
  return { emulator, program }
}
