const frame = (title: string, rest: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
${rest}
</html>`

const payForm = (words: string) => `<form method="post" action="/orders"><button>${words}</button></form>`

export const shopPage = frame('A mug for $12.50', payForm('Pay'))
export const paidPage = frame('Thank you', '<p>Your mug is on its way.</p>')
export const declinedPage = frame(
  'The payment did not work',
  `<p>Nothing was paid.</p>${payForm('Try again')}`,
)
/** Asks again every second. */
export const waitingPage = frame('Waiting for your payment', '<meta http-equiv="refresh" content="1">')
export const unknownPage = frame('There is no such order', '<p><a href="/">Back to the shop</a></p>')
export const brokenPage = frame('Something went wrong', '<p>Please try again later.</p>')
