import { bareProgram } from './bare-program.ts'
import { emulator } from './emulator.ts'
import { jsonServer } from './json-server.ts'
import { mockoon, mockoonByRequestId } from './mockoon.ts'
import { mountebank, mountebankConstant } from './mountebank.ts'
import type { Peer } from './peer.ts'
import { prism } from './prism.ts'
import { wiremock, wiremockSchema } from './wiremock.ts'

/** All that take part, in the order of a round: the emulator first, which the others are compared with. */
export const contenders: readonly Peer[] = [
  emulator,
  bareProgram,
  prism,
  mockoon,
  mockoonByRequestId,
  jsonServer,
  mountebank,
  mountebankConstant,
  wiremock,
  wiremockSchema,
]
