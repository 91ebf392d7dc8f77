/** Asks a person for the control token; the browser keeps the answer as a cookie. */
export function TokenQuestion({ back, wrong }: { back: string; wrong: boolean }) {
  return (
    <form method="post" action="/_emulator/ui/token" class="card">
      <p>
        This emulator requires its control token. It was printed at the start, or set with{' '}
        <code>--control-token</code>.
      </p>
      {wrong ? (
        <p class="wrong" role="alert" id="token-wrong">
          Wrong control token.
        </p>
      ) : null}
      <input type="hidden" name="back" value={back} />
      <div class="field">
        <label for="token">Control token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          aria-describedby={wrong ? 'token-wrong' : undefined}
        />
      </div>
      <button type="submit" class="button primary">
        Open the dashboard
      </button>
    </form>
  )
}
