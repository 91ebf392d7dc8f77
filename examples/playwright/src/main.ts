import { accountFrom } from './account.ts'
import { createShop } from './shop.ts'

const port = Number(process.env.PORT ?? 3000)
createShop(accountFrom(process.env)).listen(port, '127.0.0.1', () =>
  console.log(`The shop is open: http://127.0.0.1:${port}`),
)
