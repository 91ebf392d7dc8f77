// A thread that makes some of the runs of `model.test.ts`, and reports each.
import { parentPort, workerData } from 'node:worker_threads'
import { makeRuns, type Plan } from '../../model/runs.ts'

const { plan, numbers }: { plan: Plan; numbers: readonly number[] } = workerData
await makeRuns(plan, numbers, (played) => parentPort?.postMessage(played))
