/** What clients' webhook URLs were before inboxes took their place. Inboxes of one client may close in any order: who
 *  would give back the URL of one that has closed gives back what that one had replaced. */
export class UrlsBefore {
  /** By the hosts of open inboxes. */
  readonly #before = new Map<string, string | null>()

  keep(inboxUrl: string, before: string | null): void {
    this.#before.set(hostOf(inboxUrl), before)
  }

  /** What to give back for an inbox that closes. */
  take(inboxUrl: string): string | null {
    const before = this.#before.get(hostOf(inboxUrl)) ?? null
    this.#before.delete(hostOf(inboxUrl))
    for (const [host, its] of this.#before) {
      if (its !== null && hostOf(its) === hostOf(inboxUrl)) this.#before.set(host, before)
    }
    return before
  }
}

/** Whether a URL leads to an inbox: whatever is POSTed to its host comes in, as where a scenario has added a query. */
export const leadsTo = (inboxUrl: string, url: string | null): boolean =>
  url !== null && hostOf(url) === hostOf(inboxUrl)

/** With the port. */
const hostOf = (url: string): string => new URL(url).host
