import { expect, test } from 'vitest'
import { programCallIn } from '../../src/app/package.ts'

test.each([
  [process.cwd(), 'npm start --'],
  ['/home/a/shop/node_modules/payment-order-emulator', 'npx payment-order-emulator'],
  ['/home/a/.npm/_npx/0123/node_modules/payment-order-emulator', 'npx payment-order-emulator'],
  ['/usr/lib/node_modules/payment-order-emulator', 'npx payment-order-emulator'],
  [
    '/shop/node_modules/.pnpm/payment-order-emulator@0.1.0/node_modules/payment-order-emulator',
    'npx payment-order-emulator',
  ],
  ['C:\\shop\\node_modules\\payment-order-emulator', 'npx payment-order-emulator'],
  ['/opt/payment-order-emulator', 'payment-order-emulator'],
])('a program in %s is called by %s', (folder, call) => {
  expect(programCallIn(folder)).toBe(call)
})
