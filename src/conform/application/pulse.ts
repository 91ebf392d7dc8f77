import { connect } from 'node:net'
import { isUrl } from '../../domain/text/urls.ts'
import type { ConformConfig } from '../config/config.ts'

/** Whether an application still runs. */
export type Pulse = () => Promise<boolean>

/** A program that has ended refuses at once. One that is busy may be slow: a connection that its queue has no room for
 *  is tried again after one second and after three. */
const timeoutMs = 5_000

/** Creates the check that an application still runs: whether it accepts connections, if it does so now. An
 *  application that cannot be reached from here (it may run beside a remote emulator) is assumed to run. So is one
 *  that is called by functions only: it runs in this process, and its webhook URL may be fictitious. */
export async function pulseOf(config: ConformConfig): Promise<Pulse> {
  const { webhookUrl, start, startSubscription, probe, reconcile, time } = config
  const members = [start, startSubscription, probe, reconcile, time].filter((call) => call !== undefined)
  const calls = members.flatMap((call) => (typeof call === 'object' ? [call.url] : []))
  const isOurs = members.length > 0 && calls.length === 0
  const urls = isOurs || webhookUrl === undefined ? calls : [...calls, webhookUrl]
  const places = [...new Set(urls.flatMap(placeOf))]
  const open = (
    await Promise.all(places.map(async (place) => ((await accepts(place)) ? [place] : [])))
  ).flat()
  return async () => (await Promise.all(open.map(accepts))).every(Boolean)
}

/** Whether a server accepts connections at a URL, tried from this machine. */
export async function reaches(url: string): Promise<boolean> {
  return (await Promise.all(placeOf(url).map(accepts))).some(Boolean)
}

/** Host and port of a URL, as in `127.0.0.1 3000`; empty if it is no URL yet. */
function placeOf(url: string): string[] {
  if (!isUrl(url)) return []
  const { protocol, hostname, port } = new URL(url)
  return [`${hostname.replaceAll(/[[\]]/g, '')} ${port || (protocol === 'https:' ? 443 : 80)}`]
}

function accepts(place: string): Promise<boolean> {
  const [host = '', port = ''] = place.split(' ')
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: timeoutMs })
    const end = (accepted: boolean) => {
      socket.destroy()
      resolve(accepted)
    }
    socket.on('connect', () => end(true))
    socket.on('timeout', () => end(false))
    socket.on('error', () => end(false))
  })
}
