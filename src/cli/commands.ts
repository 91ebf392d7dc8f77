// What the commands beside `serve`, `conform` and `health` do, in one piece: were each of them loaded by itself, the program
// would be cut into twice as many files, and a start reads dozens of them.

export { check } from './check/check.ts'
export { completion } from './completion/completion.ts'
export { coverage } from './coverage/coverage.ts'
export { exec } from './exec/exec.ts'
export { explainScenario } from './explain/explain.ts'
export { listen } from './listen/listen.ts'
export { push } from './push/push.ts'
export { signBody } from './sign/sign.ts'
export { status } from './status/status.ts'
export { sweepTests } from './sweep/sweep-tests.ts'
export { wait } from './wait/wait.ts'
