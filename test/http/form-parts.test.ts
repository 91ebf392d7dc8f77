import { expect, test } from 'vitest'
import { formParts } from '../../src/http/body.ts'

async function sent(fields: Readonly<Record<string, string | File>>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const body = new Response(form)
  const type = body.headers.get('content-type') ?? ''
  return { type, bytes: Buffer.from(await body.arrayBuffer()) }
}

test('the fields of a form come as they were, files byte by byte', async () => {
  const file = Buffer.from([0, 13, 10, 45, 45, 255, 13, 10, 13, 10, 45, 45])
  const { type, bytes } = await sent({
    back: '/ui/?a=b&c',
    client: 'Zoë',
    file: new File([file], 'name="back".json'),
    empty: '',
  })
  const parts = formParts(bytes, type)
  expect([...(parts?.keys() ?? [])]).toEqual(['back', 'client', 'file', 'empty'])
  expect(parts?.get('back')?.toString()).toBe('/ui/?a=b&c')
  expect(parts?.get('client')?.toString()).toBe('Zoë')
  expect(parts?.get('file')).toEqual(file)
  expect(parts?.get('empty')?.length).toBe(0)
})

test('cut anywhere, it is no form', async () => {
  const { type, bytes } = await sent({ a: '1', file: new File(['{}'], 'x.json') })
  const end = bytes.lastIndexOf('--')
  for (let length = 0; length < end; length++)
    expect(formParts(bytes.subarray(0, length), type), String(length)).toBeNull()
})

test.each([
  ['no boundary', 'multipart/form-data'],
  ['another boundary', 'multipart/form-data; boundary=x'],
  ['another type', 'application/json; boundary=x'],
  ['nothing', ''],
])('with %s it is no form', async (_, type) => {
  expect(formParts((await sent({ a: '1' })).bytes, type)).toBeNull()
})

test('a boundary may stand in quotes', () => {
  const bytes = Buffer.from('--a b\r\nContent-Disposition: form-data; name="n"\r\n\r\nv\r\n--a b--\r\n')
  expect(formParts(bytes, 'multipart/form-data; charset=utf-8; boundary="a b"')?.get('n')?.toString()).toBe(
    'v',
  )
})
