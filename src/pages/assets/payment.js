// @ts-check

/** The payment page counts down on the client's clock, and asks again: an order moves by itself, and a test may move
 *  its clock. Without this script the page is the same but for that. */

const askedEveryMs = 1_000
const countedEveryMs = 200
const shownAgainEveryMs = 30_000

const page = document.querySelector('main[data-state]')
if (page instanceof HTMLElement) follow(page)

/** @param {HTMLElement} page */
function follow(page) {
  const { state, status, now, speed, expiresAt } = page.dataset
  let clock = { now: Number(now), speed: Number(speed), expiresAt: Number(expiresAt) }
  let readAt = performance.now()

  countDown(() => clock.expiresAt - clock.now - (performance.now() - readAt) * clock.speed)

  // A page that answered a form must not send it again, so this is no reload.
  const showAgain = () => location.replace(location.pathname + location.search)
  const ask = async () => {
    if (document.hidden) return
    const answer = await fetch(`${location.pathname}/state`, { cache: 'no-store' })
    const told = await answer.json()
    if (told.state !== state || told.status !== status || told.speed !== clock.speed) showAgain()
    clock = told
    readAt = performance.now()
  }
  // A sandboxed frame belongs to no origin and may read no answer; it does as a browser without scripts does.
  if (self.origin === 'null') {
    setInterval(showAgain, shownAgainEveryMs)
    return
  }
  // An emulator that is stopped, or started again, is asked again.
  const askQuietly = () => ask().catch(() => undefined)
  const again = () => setTimeout(() => askQuietly().then(again), askedEveryMs)
  again()
  document.addEventListener('visibilitychange', askQuietly)
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

/** `14:59`, `1:02:03`, `29 days, 23:59:59`, in the language of the page.
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
  const unit = new Intl.NumberFormat(lang, { style: 'unit', unit: 'day', unitDisplay: 'long' })
  return `${unit.format(days)}, ${two(hours)}:${clock}`
}
