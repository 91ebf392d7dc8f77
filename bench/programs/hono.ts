// The emulator is measured beside this: Hono on Node's server, doing nothing else.

import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.get('/hello', (c) => c.text('hello'))
app.post('/echo', async (c) => c.json(await c.req.json()))

process.once('disconnect', () => process.exit())
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.argv[2]) })
