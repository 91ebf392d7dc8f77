// @ts-check

/** The payment page counts down on the client's clock, and asks again: an order moves by itself, and a test may move
 *  its clock. Without this script the page is the same but for that. */

const askedEveryMs = 1_000
const countedEveryMs = 200
const shownAgainEveryMs = 30_000
/** States that somebody may still see change. */
const moving = ['open', 'paid', 'abandoned', 'expired']

const page = document.querySelector('main[data-state]')
if (page instanceof HTMLElement && moving.includes(page.dataset.state ?? '')) follow(page)

/** @param {HTMLElement} page */
function follow(page) {
  const { state, status, now, speed, expiresAt } = page.dataset
  let clock = { now: Number(now), speed: Number(speed), expiresAt: Number(expiresAt) }
  let readAt = performance.now()

  countDown(() => clock.expiresAt - clock.now - (performance.now() - readAt) * clock.speed)

  // Who leaves is not called back: the shop may take its time to answer.
  let isLeaving = false
  const leave = () => {
    isLeaving = true
    setTimeout(() => {
      isLeaving = false
    }, shownAgainEveryMs)
  }
  // What a form does to the order is told here before the browser has left. For an app it does not leave.
  if (page.dataset.back === 'web') document.addEventListener('submit', leave)
  // A page that answered a form must not send it again, so this is no reload. Who waits for the end is sent back to
  // the shop then.
  const showAgain = () => {
    if (isLeaving) return
    leave()
    location.replace(location.pathname + (state === 'open' || state === 'paid' ? '?waiting' : ''))
  }
  const ask = async () => {
    if (document.hidden) return
    const answer = await fetch(`${location.pathname}/state`, { cache: 'no-store' })
    const told = await answer.json()
    if (told.state !== state || told.status !== status) showAgain()
    showPace(told.pace)
    clock = told
    readAt = performance.now()
  }
  // A sandboxed frame belongs to no origin and may read no answer; it does as a browser without scripts does, and
  // leaves a payer who is choosing alone.
  if (self.origin === 'null') {
    if (state !== 'open') setInterval(showAgain, shownAgainEveryMs + askedEveryMs)
    return
  }
  const again = document.getElementById('again')
  if (again) again.hidden = true
  // An emulator that is stopped, or started again, is asked again.
  const askQuietly = () => ask().catch(() => undefined)
  const askLater = () => setTimeout(() => askQuietly().then(askLater), askedEveryMs)
  askLater()
  document.addEventListener('visibilitychange', askQuietly)
}

/** Says how the time of the client passes.
 *  @param {string} text empty where it passes like everybody's */
function showPace(text) {
  const line = document.getElementById('pace')
  if (!line || line.textContent === text) return
  line.textContent = text
  line.hidden = text === ''
}

/** Shows how much time is left, where the page has a place for it.
 *  @param {() => number} leftMs */
function countDown(leftMs) {
  const line = document.getElementById('countdown')
  const place = line?.querySelector('[role=timer]')
  if (!line || !place) return
  const show = () => {
    const text = lengthText(leftMs())
    if (place.textContent !== text) place.textContent = text
  }
  show()
  line.hidden = false
  setInterval(show, countedEveryMs)
}

/** `14:59`, `1:02:03`, `29 days, 23 hours`, in the language of the page.
 *  @param {number} ms */
function lengthText(ms) {
  const seconds = Math.ceil(Math.max(0, ms) / 1000)
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0')
  const clock = `${two(minutes)}:${two(seconds % 60)}`
  if (days === 0) return hours === 0 ? clock : `${hours}:${clock}`
  const { lang } = document.documentElement
  const counted = (/** @type {number} */ n, /** @type {string} */ unit) =>
    new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(n)
  return hours === 0 ? counted(days, 'day') : `${counted(days, 'day')}, ${counted(hours, 'hour')}`
}
