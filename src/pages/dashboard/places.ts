import type { Shell } from './view.ts'

/** The places of the dashboard, in the order in which somebody looks for a fault: paths below `/_emulator`. */
export const places = [
  ['/', 'Orders'],
  ['/ui/deliveries', 'Webhooks'],
  ['/ui/requests', 'Requests'],
  ['/ui/clients', 'Clients'],
  ['/ui/clocks', 'Clocks'],
  ['/ui/scenarios', 'Scenarios'],
  ['/ui/faults', 'Faults'],
  ['/ui/settings', 'Settings'],
  ['/ui/world', 'Data'],
] as const

/** Whether a page belongs to a place. */
export function isAt(path: string, { here }: Pick<Shell, 'here'>): boolean {
  const page = here.split('?')[0]?.replace(/^\/_emulator/, '') ?? '/'
  if (path === '/') return page === '/' || page.startsWith('/ui/orders')
  return page === path || page.startsWith(`${path}/`)
}
