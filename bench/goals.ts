/** A target (`aim`) and a minimum (`must`; null: only printed, never fails) for a figure. */
export interface Goal {
  readonly row: string
  readonly unit: string
  readonly aim: number
  readonly must: number | null
  readonly better: 'higher' | 'lower'
}

const higher = (row: string, unit: string, aim: number, must: number | null): Goal => ({
  ...{ row, unit, aim, must, better: 'higher' },
})
const lower = (row: string, unit: string, aim: number, must: number | null): Goal => ({
  ...{ row, unit, aim, must, better: 'lower' },
})

/** Every figure that the bench measures, by its name. */
export const goals = {
  'create, in a file': higher('1', 'x Hono echo', 0.28, 0.2),
  'create, in memory': higher('1', 'x Hono echo', 0.32, 0.23),
  'create, one connection, p50': lower('1', 'x Hono echo', 4, null),
  'lookup among 1,000 orders': higher('2', 'x Hono hello', 0.45, 0.33),
  'lookup among 100,000 orders': higher('2', 'x Hono hello', 0.45, 0.33),
  'create among a million orders': higher('3', 'x among 1,000', 0.75, 0.55),
  'lookup among a million orders': higher('3', 'x among 1,000', 0.75, 0.55),
  'burst of webhooks': higher('4', 'x bare undici Pool', 0.35, 0.25),
  'webhook lateness at 500/s, p99': lower('4', 'ms', 10, 30),
  'the same with a million pending': lower('4', 'x few pending', 1.5, 2.5),
  '1,000 orders, their whole lifecycle in one advance': higher('5', '/s', 2_500, 1_200),
  'start to the first answer': lower('6', 'x node -e 0', 3.5, 5),
  'first startEmulator of a process': lower('6', 'ms', 80, 200),
  'later startEmulator': lower('6', 'ms', 15, 40),
  createClient: lower('6', 'ms', 3, 8),
  reset: lower('6', 'ms', 4, 10),
  'memory, idle': lower('7', 'MB', 100, 140),
  'memory after a million creates': lower('7', 'MB', 250, 400),
  'image, added to its base': lower('8', 'MB', 10, 30),
  'a test': lower('9', 'ms', 5, 12),
  'list of 100,000 orders, first answer': lower('9b', 'ms', 200, 500),
  'list of 100,000 orders, later answers': lower('9b', 'ms', 50, 150),
  'create beside Prism': higher('11', 'times', 2.5, 1.5),
  'create beside Mockoon, CRUD': higher('11', 'times', 7, 4),
  'create beside mountebank': higher('11', 'times', 5, 2.5),
  'create beside json-server': higher('11', 'times', 40, 20),
} satisfies Record<string, Goal>

export type GoalName = keyof typeof goals
