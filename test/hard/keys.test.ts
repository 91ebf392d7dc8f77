import { expect, test } from 'vitest'
import { create } from '../cli/running.ts'
import { program } from './support/program.ts'
import { hasPython, TerminalSession } from './support/terminal-session.ts'

const good = { exitCode: 0, isSane: true }

test.runIf(hasPython)('keys move the clock and quit, and leave the terminal as it was', async () => {
  const session = new TerminalSession()
  session.start('--clock manual --start-time 2026-01-31T12:00:00Z')
  await session.sees(/Keys: o dashboard · .*\r\nReady\.\r\n/)
  session.type('A')
  await session.sees(/advance by/)
  session.type('10m\r')
  await session.sees(/clock demo-client on by 10m to 2026-01-31T12:10:00Z/)
  session.type('a')
  await session.sees(/nothing is due/)
  session.type('h')
  await session.sees(/finish requests and deliveries in flight, then quit/)
  session.type('q')
  await session.sees(/stopping \(q\)/)
  expect(await session.after()).toEqual(good)
})

test.runIf(hasPython)('a terminal that says it has no columns is taken for one with 80', async () => {
  const session = new TerminalSession()
  session.start()
  const [, url] = /Base URL +(\S+)/.exec(await session.sees(/Ready\.\r\n/)) ?? []
  await create(`${url}`, 'r1')
  expect(await session.sees(/webhook CREATED[^}]*\}\r\n/)).toMatch(/\r\n {13}\S/)
})

test.runIf(hasPython)('Ctrl-C ends it as ever', async () => {
  const session = new TerminalSession()
  session.start()
  await session.sees(/Ready\.\r\n/)
  session.type('\u0003')
  await session.sees(/stopping \(SIGINT\)/)
  expect(await session.after()).toEqual(good)
})

test.runIf(hasPython)('Ctrl-Z gives the terminal to the shell, and fg takes it again', async () => {
  const session = new TerminalSession()
  session.start()
  await session.sees(/Ready\.\r\n/)
  for (let round = 0; round < 2; round++) {
    session.type('\u001a')
    await session.sees(/Stopped/)
    expect((await session.after()).isSane).toBe(true)
    session.type('fg\r')
    await session.sees(/--port 0/)
    session.type('h')
    await session.sees(/open the dashboard/)
  }
  session.type('q')
  await session.sees(/stopping \(q\)/)
  expect(await session.after()).toEqual(good)
})

test.runIf(hasPython)('a crash gives the terminal back', async () => {
  const session = new TerminalSession()
  const crash = `process.on("SIGUSR2",()=>{throw(new(Error)("boom"))});console.log("pid=" + process.pid)`
  session.start('', `--import 'data:text/javascript,${encodeURIComponent(crash)}'`)
  const [, pid] = /pid=(\d+)\r/.exec(await session.sees(/pid=\d+\r/)) ?? []
  await session.sees(/Ready\.\r\n/)
  process.kill(Number(pid), 'SIGUSR2')
  await session.sees(/boom/)
  expect(await session.after()).toEqual({ exitCode: 1, isSane: true })
})

test.runIf(hasPython)('Ctrl-\\ ends it at once, and gives the terminal back', async () => {
  const session = new TerminalSession()
  session.start()
  await session.sees(/Ready\.\r\n/)
  session.type('\u001c')
  await session.sees(/Quit/)
  expect(await session.after()).toEqual({ exitCode: 128 + 3, isSane: true })
})

test.runIf(hasPython).each([
  ['HUP', 0, /stopping \(SIGHUP\)/],
  ['ABRT', 128 + 6, /Aborted/],
  ['USR2', 128 + 12, /User defined signal 2/],
])('SIG%s ends it, and it gives the terminal back', async (signal, exitCode, words) => {
  const session = new TerminalSession()
  session.start('', `--import 'data:text/javascript,console.log("pid="+process.pid)'`)
  const [, pid] = /pid=(\d+)\r/.exec(await session.sees(/pid=\d+\r/)) ?? []
  await session.sees(/Ready\.\r\n/)
  process.kill(Number(pid), `SIG${signal}`)
  await session.sees(words)
  expect(await session.after()).toEqual({ exitCode, isSane: true })
})

test.runIf(hasPython)('in the background it takes no keys and goes on', async () => {
  const session = new TerminalSession()
  session.start('&')
  expect(await session.sees(/Ready\.\r\n/)).not.toContain('Keys:')
  expect((await session.after()).isSane).toBe(true)
  session.type('jobs\r')
  await session.sees(/Running/)
  session.type('kill %1\r')
  await session.sees(/stopping \(SIGTERM\)/)
})

test.runIf(hasPython)('without a terminal on both sides there are no keys', async () => {
  const session = new TerminalSession()
  session.start('--log pretty < /dev/null')
  expect(await session.sees(/Ready\.\r\n/)).not.toContain('Keys:')
  session.type('\u0003')
  await session.sees(/stopping \(SIGINT\)/)
  expect(await session.after()).toEqual(good)
})

test.runIf(hasPython)('exec: Ctrl-C reaches the command once, and it decides how it ends', async () => {
  const session = new TerminalSession()
  const code = `let n = 0; process.on("SIGINT", () => { n++; setTimeout(() => { console.log("n=" + n); process.exit(5) }, 300) }); setInterval(() => {}, 1e6); console.log("up")`
  session.type(`'${process.execPath}' '${program}' exec -- '${process.execPath}' -e '${code}'\r`)
  await session.sees(/up\r\n/)
  session.type('\u0003')
  await session.sees(/n=1\r\n/)
  expect(await session.after()).toEqual({ exitCode: 5, isSane: true })
})

test.runIf(hasPython)(
  'exec: SIGINT to a job in the background is passed on, though it has a terminal',
  async () => {
    const session = new TerminalSession()
    const code = 'trap "exit 8" INT; echo u""p; while :; do sleep 0.05; done'
    session.type(`'${process.execPath}' '${program}' exec -- sh -c '${code}' & job=$!\r`)
    await session.sees(/up\r\n/)
    session.type('kill -INT $job; wait $job\r')
    expect((await session.after()).exitCode).toBe(8)
  },
)
