const emulator = process.env.PAYMENT_ORDER_BASE_URL ?? 'http://127.0.0.1:4600'

/** A client for each of both documents, as the running emulator gives them. */
const generated = (name, document) => ({
  input: `${emulator}/_emulator/${document}`,
  output: { path: `generated/${name}`, module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch'],
})

export default [generated('service', 'openapi.json'), generated('control', 'openapi-control.json')]
