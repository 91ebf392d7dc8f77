// Writes the captures of three invented accounts: what is said of them below is made up from the API specification,
// with conventions of their own; only signatures and file formats are computed. Run it after a change:
// `node test/hard/learn/invented/write.mjs`. The truths about them are in the YAML files.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const folder = new URL('.', import.meta.url)
const hmac = (hash, key, text, encoding) => createHmac(hash, key).update(text).digest(encoding)
const iso = (ms) => new Date(ms).toISOString()

/** `2026-05-04T11:45:00.123+02:00` */
function local(ms, hours, digits) {
  const text = new Date(ms + hours * 3_600_000).toISOString().slice(0, 19)
  const fraction =
    digits === 0
      ? ''
      : `.${String(ms % 1000)
          .padStart(3, '0')
          .slice(0, digits)}`
  const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`
  return `${text}${fraction}${offset}`
}

const har = (entries) =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'mitmproxy', version: '11' }, entries } }, null, 1)

function entry({ at, ms = 180, method, url, headers = {}, body, status, answer, answerHeaders = {} }) {
  const listed = (each) => Object.entries(each).map(([name, value]) => ({ name, value: String(value) }))
  const text = answer === undefined ? '' : JSON.stringify(answer)
  return {
    startedDateTime: iso(at),
    time: ms,
    request: {
      method,
      url,
      httpVersion: 'HTTP/2',
      headers: listed(headers),
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/2',
      headers: listed({
        'Content-Type': 'application/json',
        Date: new Date(at + ms).toUTCString(),
        ...answerHeaders,
      }),
      content: { size: text.length, mimeType: 'application/json', text },
    },
  }
}

const line = (value) => `${JSON.stringify(value)}\n`

brightwater()
corvid()
dunmore()

/** A HAR of calls, and a log of webhooks. */
function brightwater() {
  const base = 'https://api.brightwater.example'
  const secrets = { api: 'bw_live_5d1c9e70aa3f42b68c17', webhook: 'bw-hook-93b7d2f0c4' }
  const start = Date.UTC(2026, 4, 4, 9, 30, 0)
  const minute = 60_000
  const calls = []
  const hooks = []
  const token = 'bwat_7Qm2Zr0xKc91VbLs44TnPq'
  calls.push(
    entry({
      at: start,
      method: 'POST',
      url: `${base}/auth/v2/token`,
      headers: { 'content-type': 'application/json' },
      body: { account: 'bw-77120', key: secrets.api },
      status: 200,
      answer: { session: token, ttl: 3600, region: 'eu-1' },
    }),
  )
  const quota = (left) => ({ 'X-Quota-Limit': 40, 'X-Quota-Left': left })
  const call = (fields) =>
    calls.push(
      entry({ ...fields, headers: { 'access-token': token, ...fields.headers }, url: base + fields.url }),
    )
  const names = ['a81', 'b27', 'c53', 'd90', 'e14', 'f66']
  const amounts = ['19.90', '250.00', '7.25', '48.00', '133.10', '5.00']
  const ids = ['8fKq2LmZ0pXv', 'Tz5RwB7nYc3D', 'mP0sJ9uHq1Ea', 'Xk4VgN6iWo8F', 'cR7tQ2yLb5Zs', 'Gd1hU3jMx9Ke']
  const orders = names.map((name, index) => ({
    requestId: `bw-2026-${name}`,
    orderId: `bw_ord_${ids[index]}`,
    token: `bw_tok_${hmac('sha256', 'token', name, 'hex').slice(0, 32)}`,
    amount: amounts[index],
    currency: index % 2 === 0 ? 'EUR_SEPA' : 'USD_ACH',
    at: start + (2 + index * 7) * minute + index * 137,
  }))
  orders.forEach(({ requestId, token: paid, amount, currency, at }, index) => {
    const hasMode = index < 3
    const body = {
      ...{ requestId, clientId: 'bw-77120', fiatAmount: amount, currencyId: currency },
      email: `guest${index}@shop.example`,
      ...(hasMode && { mode: 'returnUrl' }),
      ...(index === 1 && { paymentMethodId: 'sepa_instant' }),
    }
    const signature = hmac('sha256', secrets.api, `fiatAmount=${amount}&requestId=${requestId}`, 'base64')
    call({
      ...{
        at,
        ms: 210 + index,
        method: 'POST',
        url: '/v1/client/checkout/create-order',
        headers: { signature },
        body,
      },
      status: 200,
      answerHeaders: quota(39 - index),
      answer: {
        ...{ requestId, token: paid, status: 'CREATED' },
        ...(hasMode && { hostedUrl: `https://pay.brightwater.example/session/${paid}` }),
        offerInfoData: {
          ...{ userAddress: body.email, clientId: 'bw-77120', totalFiatAmount: amount, currencyId: currency },
          selectedPaymentMethod: body.paymentMethodId ?? 'ANY_RAIL',
          ...{ expiryTs: local(at + 120 + 45 * minute, 2, 3), type: 'BUY' },
        },
        riskScore: 11 + index,
      },
    })
  })
  // Two that sign the other text, two that forget fields, one that comes twice.
  for (const name of ['w1', 'w2']) {
    const body = {
      ...{ requestId: `bw-2026-${name}`, clientId: 'bw-77120', fiatAmount: '9.00', currencyId: 'EUR_SEPA' },
      email: 'guest@shop.example',
    }
    const text = `currencyId=EUR_SEPA&fiatAmount=9.00&requestId=bw-2026-${name}`
    const headers = { signature: hmac('sha256', secrets.api, text, 'base64') }
    const at = start + (50 + Number(name[1])) * minute
    call({
      ...{ at, method: 'POST', url: '/v1/client/checkout/create-order', headers, body },
      ...{ status: 401, answer: { error: 'Client verification failed' }, answerHeaders: quota(30) },
    })
  }
  for (const [index, field] of ['email', 'currencyId'].entries()) {
    const body = {
      ...{ requestId: `bw-2026-m${index}`, clientId: 'bw-77120', fiatAmount: '4.00', currencyId: 'EUR_SEPA' },
      email: 'guest@shop.example',
    }
    delete body[field]
    const text = `fiatAmount=4.00&requestId=${body.requestId}`
    call({
      ...{ at: start + (55 + index) * minute, method: 'POST', url: '/v1/client/checkout/create-order', body },
      headers: { signature: hmac('sha256', secrets.api, text, 'base64') },
      status: 422,
      answer: { problems: [{ where: field, what: 'missing_value' }], trace: `tr-${7000 + index}` },
      answerHeaders: quota(29),
    })
  }
  const again = orders[0]
  call({
    ...{ at: start + 58 * minute, method: 'POST', url: '/v1/client/checkout/create-order' },
    headers: {
      signature: hmac(
        'sha256',
        secrets.api,
        `fiatAmount=${again.amount}&requestId=${again.requestId}`,
        'base64',
      ),
    },
    body: {
      ...{
        requestId: again.requestId,
        clientId: 'bw-77120',
        fiatAmount: again.amount,
        currencyId: again.currency,
      },
      email: 'guest0@shop.example',
    },
    status: 401,
    answer: { error: { code: '7001', message: 'Order already exists for given requestId' } },
    answerHeaders: quota(28),
  })
  const record = (order, orderStatus, updatedTs) => ({
    ...{
      orderId: order.orderId,
      orderStatus,
      userAddress: 'guest@shop.example',
      updatedTs,
      partner: 'BW-CLEARING',
    },
    ...{
      orderType: 'CHECKOUT',
      requestId: order.requestId,
      clientId: 'bw-77120',
      exchangeCurId: order.currency,
    },
    ...{ exchangeAmount: order.amount, paymentMethod: 'ANY_RAIL', payerCountry: 'NL' },
  })
  const lookUp = (order, minutes, status) => {
    const at = order.at + minutes * minute
    const url = `/v1/client/orders?requestId=${order.requestId}&clientId=bw-77120`
    call({
      at,
      method: 'GET',
      url,
      status: 200,
      answer: { data: [record(order, status, at - 500)] },
      answerHeaders: quota(20),
    })
  }
  // Orders 0 to 3 are paid, the fourth after a review; 4 and 5 nobody pays.
  for (const order of orders.slice(0, 3)) lookUp(order, 4, 'COMPLETED')
  lookUp(orders[3], 2, 'UNDER_REVIEW')
  lookUp(orders[3], 30, 'COMPLETED')
  for (const order of orders.slice(4)) {
    lookUp(order, 10, 'CREATED')
    lookUp(order, 50, 'LAPSED')
  }
  for (let left = 2; left >= -2; left--) {
    const at = start + 240 * minute + (2 - left) * 90
    const url = `/v1/client/orders?requestId=${again.requestId}&clientId=bw-77120`
    call(
      left >= 0
        ? {
            at,
            method: 'GET',
            url,
            status: 200,
            answer: { data: [record(again, 'COMPLETED', at - 9e6)] },
            answerHeaders: quota(left),
          }
        : {
            at,
            method: 'GET',
            url,
            status: 429,
            answer: { problems: [{ where: '', what: 'slow_down' }] },
            answerHeaders: { ...quota(0), 'Retry-After': 30 },
          },
    )
  }
  // Webhooks: the first two events of two orders fail; waits of 1, 5, 15 and 60 minutes, up to a fifth longer or shorter.
  const table = [1, 5, 15, 60]
  const jitter = [0.83, 1.14, 0.91, 1.17, 1.06, 0.88, 1.19, 0.95]
  let serial = 0
  const notify = (order, name, state, minutes, answers) => {
    const occurred = order.at + minutes * minute
    serial++
    const body = JSON.stringify({
      event: { id: `evt_${31_000 + serial * 7}`, name, occurred: Math.floor(occurred / 1000) },
      object: {
        ...{ ref: order.requestId, order: order.orderId, state, value: order.amount, unit: order.currency },
        riskScore: 11 + serial,
      },
    })
    let at = occurred + 1500
    answers.forEach((status, index) => {
      const seconds = Math.floor(at / 1000)
      const v1 = hmac('sha256', secrets.webhook, `${seconds}.${body}`, 'hex')
      const headers = {
        ...{ 'Content-Type': 'application/json', 'User-Agent': 'Brightwater/4' },
        'X-Brightwater-Signature': `t=${seconds},v1=${v1}`,
      }
      hooks.push({
        url: 'https://shop.example/bw',
        headers,
        body,
        at: iso(at),
        status,
        ms: 40,
        responseHeaders: {},
      })
      at += table[index] * minute * jitter[(serial * 3 + index) % jitter.length]
    })
  }
  orders.forEach((order, index) => {
    const fails = index === 1 || index === 2
    notify(order, 'payment.opened', 'open', 0, fails ? [500, 500, 500, 500, 500] : [200])
    if (index < 4)
      notify(order, 'payment.settled', 'settled', index === 3 ? 25 : 3, fails ? [503, 503, 200] : [200])
    if (index === 3) notify(order, 'payment.held', 'under_review', 1, [200])
  })
  const last = start + 9 * 60 * minute
  call({
    ...{ at: last, method: 'GET', url: `/v1/client/orders?requestId=none&clientId=bw-77120` },
    ...{ status: 200, answer: { data: [] }, answerHeaders: quota(39) },
  })
  hooks.sort((a, b) => (a.at < b.at ? -1 : 1))
  writeFileSync(
    new URL('brightwater.har', folder),
    har(calls.sort((a, b) => (a.startedDateTime < b.startedDateTime ? -1 : 1))),
  )
  writeFileSync(new URL('brightwater.jsonl', folder), hooks.map(line).join(''))
}

/** One file of lines with calls and webhooks. */
function corvid() {
  const secrets = { api: 'corvid-secret-2f61b8', webhook: 'unused' }
  const start = Date.UTC(2026, 5, 1, 14, 0, 0)
  const minute = 60_000
  const lines = []
  const url = (path) => `https://corvid.example/gateway${path}`
  const call = (fields) =>
    lines.push({
      ms: 95,
      ...fields,
      headers: { 'access-token': 'corvid-token-1', ...fields.headers },
      url: url(fields.url),
    })
  const orders = [0, 1, 2, 3].map((index) => ({
    requestId: `7f00c3a${index}-52d1-4c6e-9a41-0b6f3d2e811${index}`,
    orderId: `4000${String(81_734_550_912 + index * 10_073)}`,
    token: hmac('sha256', 'corvid', String(index), 'base64url').slice(0, 40),
    amount: ['80', '12.5', '300', '41.30'][index],
    shown: ['80.00', '12.50', '300.00', '41.30'][index],
    at: start + index * 20 * minute,
  }))
  for (const { requestId, token, amount, shown, at } of orders) {
    const body = JSON.stringify({
      ...{
        currencyId: 'BRL_PIX',
        fiatAmount: amount,
        email: 'cliente@loja.example',
        requestId,
        clientId: 'crv-9',
      },
    })
    const text = `currencyId=BRL_PIX&fiatAmount=${amount}&requestId=${requestId}`
    call({
      ...{ at, method: 'POST', url: '/v1/client/checkout/create-order', body },
      headers: { signature: hmac('sha256', secrets.api, text, 'base64'), 'content-type': 'application/json' },
      status: 200,
      responseHeaders: { 'x-corvid-trace': `c-${at}` },
      response: JSON.stringify({
        ...{ requestId, token, status: 'CREATED' },
        offerInfoData: {
          ...{ userAddress: 'cliente@loja.example', clientId: 'crv-9', selectedPaymentMethod: 'PIX' },
          ...{
            totalFiatAmount: shown,
            expiryTs: local(at + 50 + 10 * minute, -3, 0),
            currencyId: 'BRL_PIX',
            type: 'BUY',
          },
        },
      }),
    })
  }
  for (const index of [0, 1]) {
    const requestId = `sub-${index}-9d31`
    const body = JSON.stringify({
      ...{
        currencyId: 'BRL_PIX',
        fiatAmount: '29.90',
        email: 'cliente@loja.example',
        requestId,
        clientId: 'crv-9',
      },
      interval: 'MONTHLY',
    })
    const text = `currencyId=BRL_PIX&fiatAmount=29.90&requestId=${requestId}&interval=MONTHLY`
    call({
      ...{
        at: start + (90 + index) * minute,
        method: 'POST',
        url: '/v1/client/subscription/create-order',
        body,
      },
      headers: { signature: hmac('sha256', secrets.api, text, 'base64') },
      status: 200,
      response: JSON.stringify({
        requestId,
        url: `https://corvid.example/pagar/x${index}tok`,
        token: `x${index}tok`,
        status: 'CREATED',
      }),
    })
  }
  // What a wrong request is answered.
  for (const [index, amount] of ['1,00', '2.345'].entries()) {
    const requestId = `bad-${index}`
    const text = `currencyId=BRL_PIX&fiatAmount=${amount}&requestId=${requestId}`
    call({
      ...{ at: start + (95 + index) * minute, method: 'POST', url: '/v1/client/checkout/create-order' },
      body: JSON.stringify({
        ...{
          currencyId: 'BRL_PIX',
          fiatAmount: amount,
          email: 'cliente@loja.example',
          requestId,
          clientId: 'crv-9',
        },
      }),
      headers: { signature: hmac('sha256', secrets.api, text, 'base64') },
      status: 400,
      responseHeaders: { 'content-type': 'application/problem+json' },
      response: JSON.stringify({
        ...{ type: 'https://corvid.example/erros/valor', title: 'Valor invalido', status: 400 },
        detail: `valor ${amount} nao e um numero`,
      }),
    })
  }
  const fiat = ({ requestId, orderId, shown }, orderStatus, extra = {}) => ({
    ...{ orderId, orderStatus, userAddress: 'cliente@loja.example', updatedTs: start, partner: 'CORVID_BR' },
    ...{
      orderType: 'CHECKOUT',
      requestId,
      clientId: 'crv-9',
      exchangeCurId: 'BRL_PIX',
      exchangeAmount: shown,
    },
    ...{ paymentMethod: 'PIX', ...extra },
  })
  const look = (kind, order, minutes, answer) =>
    call({
      ...{ at: order.at + minutes * minute, method: 'GET', status: 200, response: JSON.stringify(answer) },
      url: `/v1/client/${kind}?requestId=${order.requestId}&clientId=crv-9`,
    })
  const declined = { errorReason: { errorCode: '9102', errorDesc: 'Saldo insuficiente' } }
  look('orders', orders[0], 3, { data: [fiat(orders[0], 'COMPLETED')] })
  look('orders', orders[1], 3, { data: [fiat(orders[1], 'COMPLETED')] })
  look('orders', orders[2], 3, { data: [fiat(orders[2], 'FAILED', declined)] })
  look('orders', orders[3], 3, { data: [fiat(orders[3], 'ON_HOLD', { holdReason: 'kyc' })] })
  look('fiat-refunds', orders[0], 18, { data: [], errorReason: null })
  look('fiat-refunds', orders[1], 18, { data: [], errorReason: null })
  look('crypto-orders', orders[0], 4, { data: [] })
  look('crypto-orders', orders[1], 4, { data: [] })
  // Webhooks: two of them fail until the service gives up, after 2, 10 and 30 minutes.
  const notify = (order, situacao, minutes, answers, more = {}) => {
    const body = JSON.stringify({
      ...{
        pedido: order.orderId,
        referencia: order.requestId,
        situacao,
        centavos: Math.round(Number(order.amount) * 100),
      },
      ...{ loja: 'crv-9', riskScore: Number(order.orderId.at(-1)) / 10, ...more },
    })
    let at = order.at + minutes * minute + 700
    answers.forEach((status, index) => {
      const headers = {
        ...{ 'content-type': 'application/json', 'corvid-sig': hmac('sha512', secrets.api, body, 'base64') },
        'corvid-try': String(index),
      }
      lines.push({ webhook: true, url: 'https://loja.example/hook', headers, body, at, status, ms: 20 })
      at += [2, 10, 30][index] * minute + 20
    })
  }
  notify(orders[0], 'PAGO', 2, [200])
  notify(orders[1], 'PAGO', 2, [500, 500, 500, 500])
  notify(orders[2], 'RECUSADO', 2, [500, 500, 500, 500], { motivo: '9102' })
  notify(orders[3], 'ANALISE', 2, [200])
  call({
    ...{ at: start + 30 * 60 * minute, method: 'GET', status: 200, response: '{"data":[]}' },
    url: '/v1/client/orders?requestId=fim&clientId=crv-9',
  })
  lines.sort((a, b) => a.at - b.at)
  writeFileSync(new URL('corvid.jsonl', folder), lines.map(line).join(''))
}

/** A HAR in which a proxy also saw other sites, and tokens that only the service can make. */
function dunmore() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const start = Date.UTC(2026, 1, 12, 7, 0, 0)
  const minute = 60_000
  const entries = []
  const base = 'https://dunmore.example'
  const push = (fields) => entries.push(entry(fields))
  push({ at: start - 5000, method: 'GET', url: 'https://fonts.example/a.css', status: 200, answer: {} })
  push({
    at: start - 4000,
    method: 'POST',
    url: 'https://metrics.example/collect',
    body: { n: 1 },
    status: 204,
  })
  const orders = ['one', 'two', 'three'].map((name, index) => ({
    requestId: `dm_${name}_${index}${index}41`,
    orderId: `0195${index}c2e-77aa-7c01-8f00-5b1d0c9e4a1${index}`,
    at: start + index * 11 * minute,
  }))
  for (const { requestId, at } of orders) {
    const signature = hmac('sha256', 'another-secret', requestId, 'base64')
    push({
      ...{ at, ms: 900, method: 'POST', url: `${base}/v1/client/checkout/create-order` },
      headers: { 'access-token': 'dm-tok', signature },
      body: { requestId, clientId: 'dunmore', fiatAmount: '60.00', currencyId: 'GBP', email: 'x@y.example' },
      status: 200,
      answer: {
        ...{ requestId, token: `dmt-${requestId}`, status: 'CREATED' },
        offerInfoData: {
          ...{
            userAddress: 'x@y.example',
            clientId: 'dunmore',
            selectedPaymentMethod: 'ALL',
            totalFiatAmount: '61.20',
          },
          ...{ expiryTs: local(at + 450 + 60 * minute, 0, 3), currencyId: 'GBP', type: 'BUY' },
        },
        loyalty: { tier: 'gold' },
      },
      answerHeaders: { 'x-ratelimit-remaining': 5 },
    })
  }
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const notify = ({ requestId, orderId, at }, outcome, minutes, status) => {
    const sent = at + minutes * minute
    const content = [
      { alg: 'RS256', typ: 'JWT', kid: 'dm-2026-1' },
      { sub: requestId, outcome, order: { uid: orderId }, iat: Math.floor(sent / 1000), jti: `n-${sent}` },
    ].map(encode)
    const mark = sign('sha256', Buffer.from(content.join('.')), privateKey).toString('base64url')
    push({
      ...{ at: sent, ms: 15, method: 'POST', url: 'https://our-shop.example/dunmore' },
      headers: { 'content-type': 'application/json' },
      body: { notice: `${content.join('.')}.${mark}`, v: 3 },
      status,
    })
  }
  for (const order of orders) {
    notify(order, 'accepted', 1, 200)
    notify(order, 'funded', 4, 202)
  }
  for (const [index, order] of orders.entries())
    push({
      ...{ at: order.at + 6 * minute, method: 'GET', headers: { 'access-token': 'dm-tok' } },
      url: `${base}/v1/client/orders?requestId=${order.requestId}&clientId=dunmore`,
      status: index === 2 ? 502 : 200,
      answer:
        index === 2
          ? { fault: 'upstream' }
          : {
              data: [
                {
                  ...{
                    orderId: order.orderId,
                    orderStatus: 'COMPLETED',
                    userAddress: 'x@y.example',
                    partner: 'dm',
                  },
                  ...{ updatedTs: order.at + 4 * minute, orderType: 'CHECKOUT', requestId: order.requestId },
                  ...{
                    clientId: 'dunmore',
                    exchangeCurId: 'GBP',
                    exchangeAmount: '60.00',
                    paymentMethod: 'ALL',
                  },
                },
              ],
            },
    })
  entries.sort((a, b) => (a.startedDateTime < b.startedDateTime ? -1 : 1))
  writeFileSync(new URL('dunmore.har', folder), har(entries))
}
