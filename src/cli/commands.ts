// One module for most commands: with a module for each, the build would cut the program into twice as many files, and a
// start would read dozens of them.

export { check } from './check/check.ts'
export { completion } from './completion/completion.ts'
export { coverage } from './coverage/coverage.ts'
export { exec } from './exec/exec.ts'
export { explainScenario } from './explain/explain.ts'
export { keep } from './keep/keep.ts'
export { drift, learn } from './learn/learn.ts'
export { listen } from './listen/listen.ts'
export { push } from './push/push.ts'
export { signBody } from './sign/sign.ts'
export { status } from './status/status.ts'
export { sweepTests } from './sweep/sweep-tests.ts'
export { wait } from './wait/wait.ts'
