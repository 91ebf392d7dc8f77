const { accountFrom } = require('./account.js')
const { createMagazine } = require('./magazine.js')

const port = Number(process.env.PORT ?? 3000)
createMagazine(accountFrom(process.env), Date.now).listen(port, '127.0.0.1', () =>
  console.log(`The magazine is out: http://127.0.0.1:${port}`),
)
